package dvk.interop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.deletes.DVFileWriter;
import org.apache.iceberg.deletes.DeleteIndexes;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.puffin.Blob;
import org.apache.iceberg.puffin.StandardBlobTypes;
import org.apache.iceberg.relocated.com.google.common.collect.ImmutableMap;

/** Deletion-vector blobs: bytes to Iceberg's index and back, always through Iceberg's own code. */
final class DvBlobs {
  static final String REFERENCED_DATA_FILE = "referenced-data-file";
  static final String CARDINALITY = "cardinality";

  private static final PartitionSpec UNPARTITIONED = PartitionSpec.unpartitioned();

  private DvBlobs() {}

  /** Reads a blob as Iceberg does on behalf of a manifest entry that agrees with it. */
  static PositionDeleteIndex read(byte[] blob, DeleteFile manifestEntry) {
    return PositionDeleteIndex.deserialize(blob, manifestEntry);
  }

  /** Reads a blob that comes without a manifest entry or a footer. */
  static PositionDeleteIndex read(byte[] blob) {
    long cardinality = DeleteIndexes.blobCardinality(blob);
    return read(
        blob, manifestEntry("blob", blob.length, "data.parquet", 0, blob.length, cardinality));
  }

  static DeleteFile manifestEntry(
      String location,
      long fileSize,
      String dataFile,
      long offset,
      long length,
      long cardinality) {
    return FileMetadata.deleteFileBuilder(UNPARTITIONED)
        .ofPositionDeletes()
        .withFormat(FileFormat.PUFFIN)
        .withPath(location)
        .withFileSizeInBytes(fileSize)
        .withReferencedDataFile(dataFile)
        .withContentOffset(offset)
        .withContentSizeInBytes(length)
        .withRecordCount(cardinality)
        .build();
  }

  /** The Puffin blob of an index, with the metadata that Iceberg's own writer gives it. */
  static Blob toPuffinBlob(String dataFile, PositionDeleteIndex index) {
    return new Blob(
        StandardBlobTypes.DV_V1,
        List.of(MetadataColumns.ROW_POSITION.fieldId()),
        -1,
        -1,
        index.serialize(),
        null,
        ImmutableMap.of(
            REFERENCED_DATA_FILE, dataFile, CARDINALITY, String.valueOf(index.cardinality())));
  }

  /**
   * A whole Puffin file from Iceberg's deletion-vector writer.
   *
   * @param deletes new deletes for each data file, in the order they are handed to the writer
   * @param previous blobs that the data files have already, by data file
   */
  static byte[] writeWithDvWriter(
      Map<String, PositionScript> deletes, Map<String, byte[]> previous) throws IOException {
    InMemoryOutputFile file = new InMemoryOutputFile();
    DVFileWriter writer =
        DeleteIndexes.writer(
            file, path -> previous.containsKey(path) ? read(previous.get(path)) : null);
    try (writer) {
      for (Map.Entry<String, PositionScript> entry : deletes.entrySet()) {
        String path = entry.getKey();
        // Makes the writer know the file even when the script is empty: it then still carries the
        // previous deletes over, instead of writing no file at all.
        writer.delete(path, DeleteIndexes.empty(), UNPARTITIONED, null);
        entry.getValue().addTo(sink(writer, path));
      }
    }
    return file.toByteArray();
  }

  /** What Iceberg's writer stores when a data file that has a DV gets more deletes. */
  static byte[] merge(byte[] previous, PositionScript added) throws IOException {
    String path = "data.parquet";
    byte[] puffin = writeWithDvWriter(Map.of(path, added), Map.of(path, previous));
    return PuffinFiles.readAll("merged", puffin).blobs().get(0).data();
  }

  private static DeleteIndexes.Sink sink(DVFileWriter writer, String path) {
    return new DeleteIndexes.Sink() {
      @Override
      public void one(long position) {
        writer.delete(path, position, UNPARTITIONED, null);
      }

      @Override
      public void range(long first, long end) {
        PositionDeleteIndex index = DeleteIndexes.empty();
        index.delete(first, end);
        writer.delete(path, index, UNPARTITIONED, null);
      }
    };
  }

  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(newSha256().digest(bytes));
  }

  static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }
}
