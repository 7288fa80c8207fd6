package dvk.interop;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.function.LongConsumer;

/**
 * Folds ascending positions into inclusive ranges.
 *
 * <p>Content that is short is stated in full. Content that is long is stated by the number of its
 * ranges and the SHA-256 of the lines "first-last\n" in ASCII, which any language can compute
 * without holding the whole.
 */
final class Ranges implements LongConsumer {
  private long[] bounds = new long[16];
  private int size = 0; // in longs: first, last, first, last...
  private long cardinality = 0;

  @Override
  public void accept(long position) {
    cardinality++;
    if (size > 0 && bounds[size - 1] + 1 == position) {
      bounds[size - 1] = position;
      return;
    }
    if (size == bounds.length) {
      bounds = java.util.Arrays.copyOf(bounds, size * 2);
    }
    bounds[size++] = position;
    bounds[size++] = position;
  }

  long cardinality() {
    return cardinality;
  }

  int count() {
    return size / 2;
  }

  Long min() {
    return size == 0 ? null : bounds[0];
  }

  Long max() {
    return size == 0 ? null : bounds[size - 1];
  }

  /** Writes cardinality, bounds and content; in full up to the given number of ranges. */
  void describe(ObjectNode node, int fullUpTo) {
    node.put("cardinality", cardinality);
    node.put("min", min());
    node.put("max", max());
    if (count() <= fullUpTo) {
      node.set("ranges_inclusive", toJson(0, count()));
    } else {
      node.put("range_count", count());
      node.put("ranges_sha256", sha256());
      node.set("first_ranges", toJson(0, 3));
      node.set("last_ranges", toJson(count() - 3, count()));
    }
  }

  private ArrayNode toJson(int from, int to) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (int i = from; i < to; i++) {
      list.addArray().add(bounds[2 * i]).add(bounds[2 * i + 1]);
    }
    return list;
  }

  private String sha256() {
    MessageDigest digest = DvBlobs.newSha256();
    for (int i = 0; i < size; i += 2) {
      digest.update((bounds[i] + "-" + bounds[i + 1] + "\n").getBytes(StandardCharsets.US_ASCII));
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
