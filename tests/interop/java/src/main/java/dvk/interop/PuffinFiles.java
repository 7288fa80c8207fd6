package dvk.interop;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.puffin.Blob;
import org.apache.iceberg.puffin.BlobMetadata;
import org.apache.iceberg.puffin.FileMetadata;
import org.apache.iceberg.puffin.Puffin;
import org.apache.iceberg.puffin.PuffinCompressionCodec;
import org.apache.iceberg.puffin.PuffinReader;
import org.apache.iceberg.puffin.PuffinWriter;
import org.apache.iceberg.puffin.StandardBlobTypes;
import org.apache.iceberg.util.Pair;

/** Puffin files in memory, written and read by Iceberg's Puffin classes. */
final class PuffinFiles {
  /** A blob as the footer describes it, and its bytes with the compression undone. */
  record StoredBlob(BlobMetadata metadata, byte[] data) {
    boolean isDeletionVector() {
      return metadata.type().equals(StandardBlobTypes.DV_V1);
    }
  }

  /** Blobs are in footer order. */
  record Contents(
      long fileSize, long footerSize, Map<String, String> properties, List<StoredBlob> blobs) {}

  private PuffinFiles() {}

  static byte[] write(String createdBy, Map<String, String> properties, List<Blob> blobs)
      throws IOException {
    InMemoryOutputFile file = new InMemoryOutputFile();
    Puffin.WriteBuilder builder = Puffin.write(file);
    if (createdBy != null) {
      builder.createdBy(createdBy);
    }
    try (PuffinWriter writer = builder.setAll(properties).build()) {
      blobs.forEach(writer::write);
    }
    return file.toByteArray();
  }

  static Contents readAll(String location, byte[] file) throws IOException {
    try (PuffinReader reader = Puffin.read(new InMemoryInputFile(location, file)).build()) {
      FileMetadata metadata = reader.fileMetadata();
      // readAll answers in offset order; two empty blobs may share an offset, so the objects
      // themselves are the key.
      Map<BlobMetadata, ByteBuffer> data = new HashMap<>();
      for (Pair<BlobMetadata, ByteBuffer> blob : reader.readAll(metadata.blobs())) {
        data.put(blob.first(), blob.second());
      }
      List<StoredBlob> blobs = new ArrayList<>();
      for (BlobMetadata blob : metadata.blobs()) {
        blobs.add(new StoredBlob(blob, DvBlobs.bytes(data.get(blob))));
      }
      return new Contents(file.length, footerSize(file), metadata.properties(), blobs);
    }
  }

  // The reader keeps it to itself; by now it has checked the trailer.
  private static long footerSize(byte[] file) {
    ByteBuffer trailer = ByteBuffer.wrap(file).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    return trailer.getInt(file.length - 12) + 16L;
  }

  /**
   * Writes the file that a JSON text describes.
   *
   * <pre>
   *   { "created-by": "...",                  optional
   *     "properties": { "key": "value" },     optional, after created-by
   *     "writer": "puffin" | "dv",            optional, "puffin" by default
   *     "blobs": [
   *       { "data-file": "...", "positions": "SCRIPT" },
   *       { "type": "...", "fields": [1], "snapshot-id": 2, "sequence-number": 1,
   *         "data-hex": "...", "codec": "none" | "zstd", "properties": {} } ] }
   * </pre>
   *
   * The writer "puffin" keeps the order of the list. The writer "dv" is the one engines use: it
   * takes only the first kind of blob, signs with its own created-by and orders blobs by the hash
   * of their data file.
   */
  static byte[] writeSpec(JsonNode spec) throws IOException {
    if (spec.path("writer").asText("puffin").equals("dv")) {
      Map<String, PositionScript> deletes = new LinkedHashMap<>();
      for (JsonNode blob : spec.path("blobs")) {
        deletes.put(
            blob.required("data-file").asText(),
            PositionScript.parse(blob.required("positions").asText()));
      }
      return DvBlobs.writeWithDvWriter(deletes, Map.of());
    }
    List<Blob> blobs = new ArrayList<>();
    for (JsonNode blob : spec.path("blobs")) {
      blobs.add(blob.has("data-file") ? deletionVector(blob) : otherBlob(blob));
    }
    JsonNode createdBy = spec.get("created-by");
    return write(
        createdBy == null ? null : createdBy.asText(), strings(spec.path("properties")), blobs);
  }

  private static Blob deletionVector(JsonNode blob) {
    return DvBlobs.toPuffinBlob(
        blob.required("data-file").asText(),
        PositionScript.parse(blob.required("positions").asText()).toIndex());
  }

  private static Blob otherBlob(JsonNode blob) {
    List<Integer> fields = new ArrayList<>();
    blob.path("fields").forEach(field -> fields.add(field.asInt()));
    return new Blob(
        blob.required("type").asText(),
        fields,
        blob.path("snapshot-id").asLong(-1),
        blob.path("sequence-number").asLong(-1),
        ByteBuffer.wrap(HexFormat.of().parseHex(blob.path("data-hex").asText(""))),
        blob.path("codec").asText("none").equals("zstd") ? PuffinCompressionCodec.ZSTD : null,
        strings(blob.path("properties")));
  }

  private static Map<String, String> strings(JsonNode object) {
    Map<String, String> strings = new LinkedHashMap<>();
    object.properties().forEach(entry -> strings.put(entry.getKey(), entry.getValue().asText()));
    return strings;
  }
}
