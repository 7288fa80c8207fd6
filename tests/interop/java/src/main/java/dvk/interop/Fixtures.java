package dvk.interop;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.iceberg.IcebergBuild;
import org.apache.iceberg.deletes.DeleteIndexes;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.puffin.BlobMetadata;
import org.roaringbitmap.RoaringBitmap;

/**
 * Writes every fixture and the manifest that says what is in it.
 *
 * <p>Nothing here depends on time, place or locale: two runs give the same bytes. The manifest is
 * taken from the bytes as Iceberg's reader sees them, never from the set that was written.
 */
final class Fixtures {
  private static final int FULL_UP_TO = 200;

  private final Path dir;
  private final StringBuilder manifest = new StringBuilder();

  private Fixtures(Path dir) {
    this.dir = dir;
  }

  static void write(Path dir) throws IOException {
    Files.createDirectories(dir);
    new Fixtures(dir).writeAll();
  }

  private void writeAll() throws IOException {
    ObjectNode head = Main.JSON.createObjectNode();
    head.put("writer", IcebergBuild.fullVersion());
    head.put("iceberg_version", IcebergBuild.version());
    String opening = head.toString();
    manifest.append(opening, 0, opening.length() - 1).append(",\n\"files\": [\n");

    for (FixtureSets.Set set : FixtureSets.blobs()) {
      writeBlob(set);
    }
    writeBitmaps();
    for (FixturePuffins.PuffinFixture puffin : FixturePuffins.all()) {
      writePuffin(puffin);
    }
    manifest.setLength(manifest.length() - 2); // the last comma
    manifest.append("\n]}\n");
    Files.writeString(dir.resolve("manifest.json"), manifest, StandardCharsets.UTF_8);
  }

  private void writeBlob(FixtureSets.Set set) throws IOException {
    byte[] blob =
        set.previous() == null
            ? set.added().toBlob()
            : DvBlobs.merge(set.previous().toBlob(), set.added());
    ObjectNode entry = newEntry(set.name() + ".dv.bin", "dv-blob", blob, set.note(), set.rows());
    if (set.previous() != null) {
      entry.put("built_by", "merge");
      entry.put("previous_script", set.previous().text());
    } else {
      entry.put("built_by", set.added().kinds());
    }
    if (set.added().text() != null) {
      entry.put("script", set.added().text());
    }
    entry.set("dv", describeBlob(blob, DvBlobs.read(blob)));
    finish(set.name() + ".dv.bin", blob, entry, null);
  }

  private void writeBitmaps() throws IOException {
    writeBitmap("empty", "", true);
    writeBitmap("one-position", "7", true);
    writeBitmap("only-key-3", String.valueOf((3L << 32) + 7), true);
    writeBitmap("mixed", "5 7 65536:65599 131073:196606 4294967296-4294967400", true);
    // Never in a blob, where all is run-encoded first: a full container as a bitset.
    writeBitmap("mixed-not-run-encoded", "5 7 65536:65599 131072:196607", false);
  }

  private void writeBitmap(String name, String script, boolean encode) throws IOException {
    String file = name + ".bitmap64.bin";
    byte[] bitmap = DeleteIndexes.bitmap64(PositionScript.parse(script), encode);
    ObjectNode entry = newEntry(file, "bitmap64", bitmap, null, 0);
    entry.put("script", script).put("run_encoded", encode);
    ObjectNode content = Main.JSON.createObjectNode();
    Ranges ranges = new Ranges();
    DeleteIndexes.forEach(bitmap, ranges);
    ranges.describe(content, FULL_UP_TO);
    content.set("containers", containers(bitmap));
    entry.set("dv", content);
    finish(file, bitmap, entry, null);
  }

  private void writePuffin(FixturePuffins.PuffinFixture fixture) throws IOException {
    String file = fixture.name() + ".puffin";
    PuffinFiles.Contents contents = PuffinFiles.readAll(file, fixture.file());
    ObjectNode entry = newEntry(file, "puffin", fixture.file(), fixture.note(), fixture.rows());
    entry.put("footer_size", contents.footerSize());
    entry.set("properties", strings(contents.properties()));
    ArrayNode blobs = Main.JSON.createArrayNode();
    for (PuffinFiles.StoredBlob blob : contents.blobs()) {
      blobs.add(blob.isDeletionVector() ? describeDv(contents, blob) : describeOther(blob));
    }
    finish(file, fixture.file(), entry, blobs);
  }

  /** Fields, ids, codec and properties are left out: they are the same for all DVs. */
  private static ObjectNode describeDv(
      PuffinFiles.Contents contents, PuffinFiles.StoredBlob blob) {
    BlobMetadata metadata = blob.metadata();
    String dataFile = metadata.properties().get(DvBlobs.REFERENCED_DATA_FILE);
    long cardinality = Long.parseLong(metadata.properties().get(DvBlobs.CARDINALITY));
    PositionDeleteIndex index =
        DvBlobs.read(
            blob.data(),
            DvBlobs.manifestEntry("fixture", contents.fileSize(), dataFile, metadata.offset(),
                metadata.length(), cardinality));
    ObjectNode node = Main.JSON.createObjectNode();
    node.put("type", metadata.type());
    node.put("offset", metadata.offset()).put("length", metadata.length());
    node.put("referenced_data_file", dataFile);
    node.put("cardinality", cardinality);
    node.set("dv", describeBlob(blob.data(), index));
    return node;
  }

  private static ObjectNode describeOther(PuffinFiles.StoredBlob blob) {
    BlobMetadata metadata = blob.metadata();
    ObjectNode node = Main.JSON.createObjectNode();
    node.put("type", metadata.type());
    ArrayNode fields = node.putArray("fields");
    metadata.inputFields().forEach(fields::add);
    node.put("snapshot_id", metadata.snapshotId());
    node.put("sequence_number", metadata.sequenceNumber());
    node.put("offset", metadata.offset()).put("length", metadata.length());
    node.put("compression_codec", metadata.compressionCodec());
    node.set("properties", strings(metadata.properties()));
    node.put("data_size", blob.data().length);
    node.put("data_sha256", DvBlobs.sha256(blob.data()));
    return node;
  }

  private static ObjectNode describeBlob(byte[] blob, PositionDeleteIndex index) {
    Ranges ranges = new Ranges();
    LongStream.Builder positions = LongStream.builder();
    index.forEach(
        position -> {
          ranges.accept(position);
          positions.add(position);
        });
    ObjectNode node = Main.JSON.createObjectNode();
    ranges.describe(node, FULL_UP_TO);
    node.set("containers", containers(Arrays.copyOfRange(blob, 8, blob.length - 4)));
    // Whether a writer that knows the content alone can arrive at these bytes.
    byte[] fresh = PositionScript.singles(positions.build()).toBlob();
    node.put("equals_fresh_single_adds", Arrays.equals(blob, fresh));
    return node;
  }

  /** How many bitmaps and containers of each kind stand in the bytes, by RoaringBitmap itself. */
  private static ObjectNode containers(byte[] bitmap64) {
    Map<String, Integer> counts = new TreeMap<>();
    for (RoaringBitmap bitmap : DeleteIndexes.bitmaps(bitmap64)) {
      counts.merge("keys", 1, Integer::sum);
      for (var at = bitmap.getContainerPointer(); at.getContainer() != null; at.advance()) {
        String kind = at.isRunContainer() ? "run" : at.isBitmapContainer() ? "bitset" : "array";
        counts.merge(kind, 1, Integer::sum);
      }
    }
    ObjectNode node = Main.JSON.createObjectNode();
    counts.forEach(node::put);
    return node;
  }

  private static ObjectNode strings(Map<String, String> properties) {
    ObjectNode node = Main.JSON.createObjectNode();
    properties.forEach(node::put);
    return node;
  }

  private static ObjectNode newEntry(
      String file, String kind, byte[] bytes, String note, long rows) {
    ObjectNode entry = Main.JSON.createObjectNode();
    entry.put("file", file).put("kind", kind);
    entry.put("size", bytes.length).put("sha256", DvBlobs.sha256(bytes));
    if (note != null) {
      entry.put("note", note);
    }
    if (rows > 0) {
      entry.put("rows", rows);
    }
    return entry;
  }

  /** One line for a file and one for each of its blobs, so that a change reads well as a diff. */
  private void finish(String file, byte[] bytes, ObjectNode entry, ArrayNode blobs)
      throws IOException {
    Files.write(dir.resolve(file), bytes);
    String line = entry.toString();
    if (blobs == null) {
      manifest.append(line).append(",\n");
      return;
    }
    manifest.append(line, 0, line.length() - 1).append(",\"blobs\":[");
    String separator = "\n ";
    for (var blob : blobs) {
      manifest.append(separator).append(blob);
      separator = ",\n ";
    }
    manifest.append("]},\n");
  }
}
