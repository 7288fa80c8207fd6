package dvk.interop;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The sets of positions behind the fixtures: every container mix that Iceberg can write. */
final class FixtureSets {
  private static final long KEY = 1L << 32;
  private static final int CONTAINER = 1 << 16;

  /**
   * A named set.
   *
   * @param added the calls that build it, on top of previous if that is not null
   * @param rows rows of the data file it is meant for, or 0 where that does not matter
   */
  record Set(String name, String note, PositionScript previous, PositionScript added, long rows) {}

  private final List<Set> sets = new ArrayList<>();

  private FixtureSets() {}

  static List<Set> blobs() {
    FixtureSets catalogue = new FixtureSets();
    catalogue.smallest();
    catalogue.arraysAndBitsets();
    catalogue.runs();
    catalogue.manyContainers();
    catalogue.keys();
    catalogue.histories();
    catalogue.tables();
    return catalogue.sets;
  }

  private void smallest() {
    add("empty-index", "an index without deletes: no bitmap at all", "");
    add("one-position-0", "the smallest DV that deletes something", "0");
    add("one-position-4294967295", "the last position of key 0", "4294967295");
    add("array-3-contiguous", "three values as a run would not be smaller", "0:2");
    add("run-4-contiguous", "four values are smaller as a run", "0:3");
    add("range-3-contiguous", "a run, since it was set as a range and 2+4r <= 2c+2", "0-2");
    add("range-4-contiguous", "same bytes as by single adds", "0-3");
    add("tie-array-5-values-2-runs", "2+4r = 2c stays an array", "0:1 10:12");
    add("tie-run-6-values-2-runs", "2+4r < 2c becomes a run", "0:2 10:12");
  }

  private void arraysAndBitsets() {
    add("array-4096-even", "the largest array", step(0, 2, 4096));
    add("bitset-4097-even", "the smallest bitset", step(0, 2, 4097));
    add("array-4096-shuffled", "random values in random order", distinct(1, CONTAINER, 4096));
    add("bitset-4097-shuffled", "random values in random order", distinct(2, CONTAINER, 4097));
    add("bitset-32768-even", "every other row of a container", step(0, 2, 32768));
  }

  private void runs() {
    add("full-container-by-adds", "65536 single adds", "0:65535");
    add("full-container-by-range", "the same content by one range", "0-65535");
    add("full-container-minus-one", "two runs that a hole parts", "0:31999 32001:65535");
    add("run-2047-runs", "2+4r = 8190: the most runs a container can have", runs(2047, 32, 16));
    add("bitset-2048-runs", "2+4r = 8194: one run more is a bitset", runs(2048, 32, 16));
    add("three-runs-no-offsets", "three containers, run cookie, no offset header",
        "10-20 65546-65556 131082-131092");
    add("four-runs-with-offsets", "four containers, run cookie, offset header",
        "10-20 65546-65556 131082-131092 196618-196628");
    add("range-across-container", "one range over a container edge", "65530-65545");
  }

  private void manyContainers() {
    add("run-flags-8-containers", "one run flag byte; the run is in the last container",
        all(step(7, CONTAINER, 7), span(458752, 458760)));
    add("run-flags-9-containers", "two run flag bytes; the run is in the last container",
        all(step(7, CONTAINER, 8), span(524288, 524296)));
    add("mixed-array-bitset-run-3", "array, bitset, run; no offset header",
        all(LongStream.of(5, 7), step(CONTAINER, 3, 20000), span(131073, 196606)));
    add("mixed-array-bitset-run-4", "array, bitset, run, bitset; offset header",
        all(LongStream.of(5, 7), step(CONTAINER, 3, 20000), span(131073, 196606),
            step(3 * CONTAINER, 7, 9000)));
    add("last-container-of-key-0", "container 65535 alone", "4294901760 4294901765 4294967294");
    add("full-and-missing-containers", "containers 0, 2, 4, 6 full, those between absent",
        "0-65535 131072-196607 262144-327679 393216-458751");
    add("thousand-containers", "one position each in 1,000 containers",
        step(3, CONTAINER + 1, 1000));
  }

  private void keys() {
    add("container-edges", "first and last position of containers and of key 0",
        "0 65535 65536 4294967295 4294967296");
    add("sparse-keys-0-1-5", "empty bitmaps are written for keys 2 to 4",
        "1 " + (KEY + 2) + " " + (5 * KEY + 3));
    add("only-key-3", "three empty bitmaps before the one that counts", "" + (3 * KEY + 7));
    add("key-40", "forty empty bitmaps", "" + (40 * KEY + 1234567));
    add("keys-0-to-3-all-kinds", "a different container kind in each key",
        all(LongStream.of(1, 3, 5), step(KEY + 9, 5, 5000), span(2 * KEY + 100, 2 * KEY + 900),
            step(3 * KEY, 65537, 20)));
    add("range-across-key", "one range over the edge of a key", (KEY - 5) + "-" + (KEY + 4));
    add("range-across-two-keys-edges", "two ranges, each over the edge of a key",
        (KEY - 70000) + "-" + (KEY + 70000) + " " + (2 * KEY - 1) + "-" + (2 * KEY));
  }

  /** Equal content, other bytes: what came before decides. */
  private void histories() {
    add("tie-singles-0-1-2-10", "an array", "0:2 10");
    add("tie-range-then-single", "the same content; the run that was there stays", "0-2 10");
    add("tie-singles-0-3-10-20", "an array", "0:3 10 20");
    add("tie-encoded-then-singles",
        "the same content; run-encoded between the adds, it stays a run", "0:3 | 10 20");
    merge("merge-array-into-run", "a DV of runs, deletes scattered around them are added",
        "100:199 1000:1099", "5 10 205 1100 5000");
    merge("merge-run-tie", "the same content as 0:3 10 20 by single adds, in other bytes",
        "0:3", "10 20");
    merge("merge-disjoint-containers", "old and new deletes in different containers and keys",
        "1 2 3 65540:65999", "200000 4294967301");
    merge("merge-nothing-new", "rewritten as it was", "0:2 70000-70100", "");
    merge("merge-fills-container", "old and new deletes make a full container",
        "0:39999", "30000:65535");
  }

  private void tables() {
    add("random-10k-in-10m", "10,000 positions of a file of 10 million rows, in random order",
        distinct(3, 10_000_000, 10_000), 10_000_000);
    add("scattered-300-in-4m", "300 positions of a file of 4,194,304 rows",
        distinct(4, 4_194_304, 300), 4_194_304);
    add("clustered-2m-in-4m", "rows 1,000,000 to 2,999,999 in one piece",
        LongStream.range(1_000_000, 3_000_000), 4_194_304);
    add("all-deleted-1m", "every row of a file of 1,048,576 rows",
        LongStream.range(0, 1_048_576), 1_048_576);
  }

  /** 4,194,304 rows: 64 containers, every eight of which go through all densities. */
  static PositionScript mixedDensity() {
    Random random = new Random(5);
    LongStream.Builder positions = LongStream.builder();
    for (int i = 0; i < 64; i++) {
      long base = (long) i * CONTAINER;
      switch (i % 8) {
        case 0 -> {} // no deletes
        case 1 -> distinct(100 + i, CONTAINER, 300).forEach(p -> positions.add(base + p));
        case 2 -> distinct(100 + i, CONTAINER, 1000).forEach(p -> positions.add(base + p));
        case 3 -> runs(40, 1600, 700).forEach(p -> positions.add(base + p));
        case 4 -> LongStream.range(0, CONTAINER).forEach(p -> positions.add(base + p));
        case 5 -> LongStream.range(0, CONTAINER)
            .filter(p -> random.nextInt(5) == 0)
            .forEach(p -> positions.add(base + p));
        case 6 -> runs(250, 260, 17).forEach(p -> positions.add(base + p));
        default -> positions.add(base + random.nextInt(CONTAINER));
      }
    }
    return PositionScript.singles(positions.build());
  }

  static PositionScript randomTenThousand() {
    return PositionScript.singles(distinct(3, 10_000_000, 10_000));
  }

  /** Distinct random positions below the bound, in random order. */
  static LongStream distinct(long seed, int bound, int count) {
    Random random = new Random(seed);
    TreeSet<Long> chosen = new TreeSet<>();
    while (chosen.size() < count) {
      chosen.add((long) random.nextInt(bound));
    }
    List<Long> shuffled = new ArrayList<>(chosen);
    Collections.shuffle(shuffled, random);
    return shuffled.stream().mapToLong(Long::longValue);
  }

  private static LongStream all(LongStream... parts) {
    return Stream.of(parts).flatMapToLong(part -> part);
  }

  private static LongStream span(long first, long last) {
    return LongStream.rangeClosed(first, last);
  }

  private static LongStream step(long first, long step, int count) {
    return LongStream.range(0, count).map(i -> first + i * step);
  }

  private static LongStream runs(int count, long step, int length) {
    return LongStream.range(0, count)
        .flatMap(i -> LongStream.range(i * step, i * step + length));
  }

  private void add(String name, String note, String script) {
    sets.add(new Set(name, note, null, PositionScript.parse(script), 0));
  }

  private void add(String name, String note, LongStream positions) {
    add(name, note, positions, 0);
  }

  private void add(String name, String note, LongStream positions, long rows) {
    sets.add(new Set(name, note, null, PositionScript.singles(positions), rows));
  }

  private void merge(String name, String note, String previous, String added) {
    sets.add(
        new Set(name, note, PositionScript.parse(previous), PositionScript.parse(added), 0));
  }
}
