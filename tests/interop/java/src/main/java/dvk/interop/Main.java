package dvk.interop;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.IcebergBuild;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.puffin.Blob;

/** Iceberg's own deletion-vector code as a command, for comparison with dvk. */
public final class Main {
  static final ObjectMapper JSON = new ObjectMapper();

  // UTF-8 whatever the locale: data file paths go through here.
  private static final PrintStream OUT = new PrintStream(System.out, false, StandardCharsets.UTF_8);

  private static final String USAGE =
      """
      usage: iceberg-dv COMMAND
        version                  prints the version of Iceberg, as it stands in created-by
        fixtures DIR             writes all fixtures and manifest.json
        serialize                standard input: one position script a line;
                                 standard output: its blob in hex, a line each
        merge                    standard input: a blob in hex, a space, a script, a line each;
                                 standard output: the blob that Iceberg replaces it with
        puffins CREATED_BY       standard input: scripts, separated by ";", a line for each file;
                                 standard output: the Puffin file in hex, a line each
        puffin OUT SPEC.json     writes the Puffin file that SPEC.json describes
        read [--all] FILE...     prints a JSON line for each DV (--all: each blob) of Puffin files;
                                 after --blob or --bitmap64, files are bare blobs or bitmaps
      scripts: N | A-B (as a range) | A:B (one by one) | "|" (run-encode), separated by spaces
      """;

  private Main() {}

  public static void main(String[] args) throws IOException {
    int status = run(args);
    OUT.flush();
    System.exit(status);
  }

  private static int run(String[] args) throws IOException {
    List<String> rest = Arrays.asList(args).subList(Math.min(1, args.length), args.length);
    String command = args.length == 0 ? "" : args[0];
    if (command.equals("version") && rest.isEmpty()) {
      OUT.println(IcebergBuild.fullVersion());
    } else if (command.equals("fixtures") && rest.size() == 1) {
      Fixtures.write(Path.of(rest.get(0)));
    } else if (command.equals("serialize") && rest.isEmpty()) {
      return eachLine(Main::serialize);
    } else if (command.equals("merge") && rest.isEmpty()) {
      return eachLine(Main::merge);
    } else if (command.equals("puffins") && rest.size() == 1) {
      return eachLine(line -> puffins(rest.get(0), line));
    } else if (command.equals("puffin") && rest.size() == 2) {
      puffin(Path.of(rest.get(0)), Path.of(rest.get(1)));
    } else if (command.equals("read") && !rest.isEmpty()) {
      return new ReadCommand(OUT).run(rest);
    } else {
      System.err.print(USAGE);
      return 2;
    }
    return 0;
  }

  private interface LineAnswer {
    String to(String line) throws IOException;
  }

  /**
   * Answers every line with a line, also the ones that Iceberg refuses ("error ..."), so that the
   * caller can match answers by number.
   */
  private static int eachLine(LineAnswer answer) {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    in.lines()
        .forEach(
            line -> {
              try {
                OUT.println(answer.to(line));
              } catch (RuntimeException e) {
                OUT.println("error " + describe(e));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return 0;
  }

  static String describe(Exception e) {
    return (e.getClass().getSimpleName() + ": " + e.getMessage()).replaceAll("\\s+", " ");
  }

  private static String serialize(String line) {
    return HexFormat.of().formatHex(PositionScript.parse(line).toBlob());
  }

  private static String merge(String line) throws IOException {
    String[] parts = line.trim().split("\\s+", 2);
    byte[] previous = HexFormat.of().parseHex(parts[0]);
    PositionScript added = PositionScript.parse(parts.length > 1 ? parts[1] : "");
    return HexFormat.of().formatHex(DvBlobs.merge(previous, added));
  }

  private static String puffins(String createdBy, String line) throws IOException {
    List<Blob> blobs = new ArrayList<>();
    for (String script : line.split(";")) {
      PositionDeleteIndex index = PositionScript.parse(script).toIndex();
      blobs.add(DvBlobs.toPuffinBlob(blobs.size() + ".parquet", index));
    }
    return HexFormat.of().formatHex(PuffinFiles.write(createdBy, Map.of(), blobs));
  }

  private static void puffin(Path out, Path spec) throws IOException {
    byte[] file = PuffinFiles.writeSpec(JSON.readTree(spec.toFile()));
    Files.write(out, file);
    PuffinFiles.Contents contents = PuffinFiles.readAll(out.toString(), file);
    for (PuffinFiles.StoredBlob blob : contents.blobs()) {
      ObjectNode line = JSON.createObjectNode();
      line.put("type", blob.metadata().type());
      line.put("offset", blob.metadata().offset());
      line.put("length", blob.metadata().length());
      line.put("file_size", contents.fileSize());
      line.put("footer_size", contents.footerSize());
      OUT.println(line);
    }
  }
}
