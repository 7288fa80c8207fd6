package org.apache.iceberg.deletes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.io.OutputFile;
import org.roaringbitmap.RoaringBitmap;

/**
 * The package-private part of Iceberg's deletion vectors, made reachable.
 *
 * <p>The index and the 64-bit bitmap have no public constructor, so this class lives in their
 * package. It adds no behaviour: what it returns is what Iceberg computed.
 */
public final class DeleteIndexes {
  private DeleteIndexes() {}

  /** Adds positions to something, one at a time and by half-open range. */
  public interface Sink {
    void one(long position);

    void range(long first, long end);
  }

  /** A set of positions that knows in which order and by which calls it is built. */
  public interface Source {
    void addTo(Sink sink);
  }

  public static PositionDeleteIndex empty() {
    return new BitmapPositionDeleteIndex();
  }

  /** The writer that engines use, without a table around it. */
  public static DVFileWriter writer(
      OutputFile file, Function<String, PositionDeleteIndex> previousDeletes) {
    return new BaseDVFileWriter(
        previousDeletes, () -> EncryptedFiles.plainAsEncryptedOutput(file));
  }

  /**
   * The bare 64-bit bitmap of a set, as it stands inside a blob.
   *
   * <p>Without run encoding the bytes hold what the adds left behind, a form that blobs never have
   * but other writers of the portable format do.
   */
  public static byte[] bitmap64(Source source, boolean runLengthEncode) {
    RoaringPositionBitmap bitmap = new RoaringPositionBitmap();
    source.addTo(
        new Sink() {
          @Override
          public void one(long position) {
            bitmap.set(position);
          }

          @Override
          public void range(long first, long end) {
            bitmap.setRange(first, end);
          }
        });
    if (runLengthEncode) {
      bitmap.runLengthEncode();
    }
    byte[] bytes = new byte[Math.toIntExact(bitmap.serializedSizeInBytes())];
    bitmap.serialize(littleEndian(bytes, 0, bytes.length));
    return bytes;
  }

  /** Hands every position of a bare 64-bit bitmap to the consumer, in ascending order. */
  public static void forEach(byte[] bitmap64, LongConsumer consumer) {
    parse(bitmap64, 0, bitmap64.length).forEach(consumer);
  }

  /**
   * The cardinality a blob holds, by Iceberg's bitmap reader.
   *
   * <p>Iceberg's blob reader insists on a record count from the manifest. A bare blob has none, so
   * it is counted first; length, magic and CRC are still the blob reader's to judge.
   */
  public static long blobCardinality(byte[] blob) {
    int start = Math.min(8, blob.length);
    int end = Math.max(start, blob.length - 4);
    return parse(blob, start, end - start).cardinality();
  }

  /** The 32-bit bitmaps of a bare 64-bit bitmap as RoaringBitmap reads them, without their keys. */
  public static List<RoaringBitmap> bitmaps(byte[] bitmap64) {
    ByteBuffer buffer = littleEndian(bitmap64, 0, bitmap64.length);
    List<RoaringBitmap> bitmaps = new ArrayList<>();
    for (long left = buffer.getLong(); left > 0; left--) {
      buffer.getInt();
      RoaringBitmap bitmap = new RoaringBitmap();
      try {
        bitmap.deserialize(buffer);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      buffer.position(buffer.position() + bitmap.serializedSizeInBytes());
      bitmaps.add(bitmap);
    }
    return bitmaps;
  }

  private static RoaringPositionBitmap parse(byte[] bytes, int offset, int length) {
    return RoaringPositionBitmap.deserialize(littleEndian(bytes, offset, length));
  }

  private static ByteBuffer littleEndian(byte[] bytes, int offset, int length) {
    return ByteBuffer.wrap(bytes, offset, length).order(ByteOrder.LITTLE_ENDIAN);
  }
}
