package dvk.interop;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.deletes.DeleteIndexes;
import org.apache.iceberg.puffin.BlobMetadata;

/** Reads files with Iceberg's readers and prints what they saw, one JSON object a line. */
final class ReadCommand {
  // Above this many ranges a line holds their number and hash only.
  private static final int FULL_UP_TO = 1000;

  private enum Kind {
    PUFFIN,
    BLOB,
    BITMAP64
  }

  private final PrintStream out;
  private boolean allBlobs = false;
  private boolean failed = false;

  ReadCommand(PrintStream out) {
    this.out = out;
  }

  /** Returns 1 if Iceberg refused anything; the files after it are read all the same. */
  int run(List<String> args) throws IOException {
    Kind kind = Kind.PUFFIN;
    for (String arg : args) {
      switch (arg) {
        case "--all" -> allBlobs = true;
        case "--puffin" -> kind = Kind.PUFFIN;
        case "--blob" -> kind = Kind.BLOB;
        case "--bitmap64" -> kind = Kind.BITMAP64;
        default -> readFile(kind, arg);
      }
    }
    return failed ? 1 : 0;
  }

  private void readFile(Kind kind, String name) throws IOException {
    byte[] bytes = Files.readAllBytes(Path.of(name));
    ObjectNode line = Main.JSON.createObjectNode().put("file", name);
    try {
      switch (kind) {
        case PUFFIN -> readPuffin(name, bytes);
        case BLOB -> {
          Ranges ranges = new Ranges();
          DvBlobs.read(bytes).forEach(ranges);
          print(line, ranges);
        }
        case BITMAP64 -> {
          Ranges ranges = new Ranges();
          DeleteIndexes.forEach(bytes, ranges);
          print(line, ranges);
        }
      }
    } catch (RuntimeException e) {
      fail(line, e);
    }
  }

  private void readPuffin(String name, byte[] file) throws IOException {
    PuffinFiles.Contents contents = PuffinFiles.readAll(name, file);
    for (PuffinFiles.StoredBlob blob : contents.blobs()) {
      if (!blob.isDeletionVector() && !allBlobs) {
        continue;
      }
      ObjectNode line = Main.JSON.createObjectNode().put("file", name);
      if (allBlobs) {
        line.put("type", blob.metadata().type());
      }
      try {
        if (blob.isDeletionVector()) {
          readDeletionVector(line, name, contents, blob);
        } else {
          line.put("offset", blob.metadata().offset()).put("length", blob.metadata().length());
          line.put("data_size", blob.data().length);
          line.put("data_sha256", DvBlobs.sha256(blob.data()));
          out.println(line);
        }
      } catch (RuntimeException e) {
        fail(line, e);
      }
    }
  }

  private void readDeletionVector(
      ObjectNode line, String name, PuffinFiles.Contents contents, PuffinFiles.StoredBlob blob) {
    BlobMetadata metadata = blob.metadata();
    String dataFile = metadata.properties().get(DvBlobs.REFERENCED_DATA_FILE);
    line.put("referenced_data_file", dataFile);
    line.put("offset", metadata.offset()).put("length", metadata.length());
    // The manifest entry that a writer of this footer would have made.
    DeleteFile entry =
        DvBlobs.manifestEntry(
            name,
            contents.fileSize(),
            dataFile,
            metadata.offset(),
            metadata.length(),
            Long.parseLong(metadata.properties().get(DvBlobs.CARDINALITY)));
    Ranges ranges = new Ranges();
    DvBlobs.read(blob.data(), entry).forEach(ranges);
    print(line, ranges);
  }

  private void print(ObjectNode line, Ranges ranges) {
    ranges.describe(line, FULL_UP_TO);
    out.println(line);
  }

  private void fail(ObjectNode line, RuntimeException e) {
    failed = true;
    out.println(line.put("error", Main.describe(e)));
  }
}
