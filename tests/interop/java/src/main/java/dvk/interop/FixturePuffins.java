package dvk.interop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.datasketches.common.Family;
import org.apache.datasketches.theta.CompactSketch;
import org.apache.datasketches.theta.UpdateSketch;
import org.apache.iceberg.puffin.Blob;
import org.apache.iceberg.puffin.PuffinCompressionCodec;
import org.apache.iceberg.puffin.StandardBlobTypes;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;

/** The Puffin fixtures. Those with DVs only come from the writer that engines use. */
final class FixturePuffins {
  /** A Puffin fixture; rows as in {@link FixtureSets.Set}. */
  record PuffinFixture(String name, String note, byte[] file, long rows) {}

  // For files that no engine's writer makes; must not change, or all of them do.
  private static final String CREATED_BY = "dvk interop fixtures";
  private static final String DATA = "s3://warehouse/db/events/data/";

  private final List<PuffinFixture> fixtures = new ArrayList<>();

  private FixturePuffins() {}

  static List<PuffinFixture> all() throws IOException {
    FixturePuffins catalogue = new FixturePuffins();
    catalogue.deletionVectors();
    catalogue.otherBlobs();
    catalogue.demo();
    return catalogue.fixtures;
  }

  private void deletionVectors() throws IOException {
    add("empty", "no blob, no property: the smallest legal file",
        PuffinFiles.write(null, Map.of(), List.of()));

    addDvs("one-dv", "one DV", Map.of(DATA + "00000-0-a.parquet", script("1 3 5 7 9")));

    Map<String, PositionScript> three = new LinkedHashMap<>();
    three.put(DATA + "00000-0-a.parquet", script("0 100 200"));
    three.put(DATA + "00000-0-b.parquet", script("10:49 70000:70999"));
    three.put(DATA + "00000-0-c.parquet", script("4294967295 4294967296 5"));
    addDvs("three-dvs", "three DVs, in the order of the writer's hash map", three);

    Map<String, PositionScript> many = new LinkedHashMap<>();
    for (int i = 0; i < 500; i++) {
      many.put(String.format("s3://w/t/data/f%03d.parquet", i), smallSet(i));
    }
    addDvs("five-hundred-dvs",
        "500 DVs of 1 to 4 positions or of a run of 60, in hash order", many);

    String path = DATA + "00000-0-a.parquet";
    add("merged-dv", "a DV that replaces an earlier one: 0-99 as a range, then 50, 100 and 7000",
        DvBlobs.writeWithDvWriter(
            Map.of(path, script("50 100 7000")), Map.of(path, script("0-99").toBlob())));

    List<Blob> escaped = new ArrayList<>();
    for (String name : List.of(
        "quote\"back\\slash/and space", "tab\tline\nbell\u0007", "umlaut-\u00fc-\u65e5\u672c",
        "emoji-\ud83d\ude00", "del-\u007f-nel-\u0085-ls-\u2028", "html-<&>'")) {
      escaped.add(dv("s3://w/t/" + name + ".parquet", "1 2"));
    }
    add("escaped-paths", "data file paths that JSON must escape, or must not",
        PuffinFiles.write(CREATED_BY, Map.of("k\u00e9y", "v\u00e4l\"ue"), escaped));
  }

  private void otherBlobs() throws IOException {
    Blob theta = theta(1, 1000, null);
    add("other-blobs-plain", "no DV; unknown types, an empty blob, several file properties",
        PuffinFiles.write(CREATED_BY, Map.of("z-first", "1"), List.of(
            other("vendor-bloom-v1", List.of(3, 1, 2), random(7, 1000), false),
            other("vendor-empty-v1", List.of(), new byte[0], false),
            theta,
            other("blob", List.of(1), new byte[] {1, 2, 3, 4}, false))));

    byte[] text = "the quick brown fox jumps over the lazy dog; "
        .repeat(5000).getBytes(StandardCharsets.US_ASCII);
    add("other-blobs-zstd",
        "no DV; zstd frames: several blocks, an incompressible block, four bytes",
        PuffinFiles.write(CREATED_BY, Map.of(), List.of(
            other("vendor-text-v1", List.of(1), text, true),
            other("vendor-noise-v1", List.of(2), random(8, 5000), true),
            other("blob", List.of(1), new byte[] {1, 2, 3, 4}, true))));

    add("theta-statistics-zstd", "table statistics as Spark's action stores them",
        PuffinFiles.write(CREATED_BY, Map.of(), List.of(
            theta(1, 1000, PuffinCompressionCodec.ZSTD),
            theta(2, 3, PuffinCompressionCodec.ZSTD))));

    add("dvs-beside-other-blobs", "DVs between blobs that a DV reader must skip",
        PuffinFiles.write(CREATED_BY, Map.of(), List.of(
            theta(1, 200, PuffinCompressionCodec.ZSTD),
            dv(DATA + "00000-0-a.parquet", "1 3 5 7 9"),
            other("vendor-bloom-v1", List.of(3), random(9, 333), false),
            dv(DATA + "00000-0-b.parquet", "100:5000"),
            other("deletion-vector-v2", List.of(), random(10, 50), false))));
  }

  private void demo() throws IOException {
    addDvs("demo-random-10k", "10,000 random rows of 10 million",
        Map.of(DATA + "00000-0-random.parquet", FixtureSets.randomTenThousand()), 10_000_000);
    addDvs("demo-mixed-4m", "64 containers of every density over 4,194,304 rows",
        Map.of(DATA + "00000-0-mixed.parquet", FixtureSets.mixedDensity()), 4_194_304);
  }

  private static PositionScript smallSet(int i) {
    if (i % 7 == 0) {
      return PositionScript.singles(LongStream.range(i, i + 60));
    }
    return PositionScript.singles(FixtureSets.distinct(1000 + i, 1_000_000, 1 + i % 4));
  }

  private static PositionScript script(String text) {
    return PositionScript.parse(text);
  }

  private static Blob dv(String dataFile, String script) {
    return DvBlobs.toPuffinBlob(dataFile, script(script).toIndex());
  }

  private static Blob other(String type, List<Integer> fields, byte[] data, boolean zstd) {
    return new Blob(type, fields, 2, 1, ByteBuffer.wrap(data),
        zstd ? PuffinCompressionCodec.ZSTD : PuffinCompressionCodec.NONE, Map.of());
  }

  /** A distinct-count sketch of the longs 0 to count - 1, made as Iceberg's Spark module does. */
  private static Blob theta(int field, int count, PuffinCompressionCodec codec) {
    UpdateSketch sketch = UpdateSketch.builder().setFamily(Family.ALPHA).build();
    for (long value = 0; value < count; value++) {
      sketch.update(Conversions.toByteBuffer(Types.LongType.get(), value).array());
    }
    CompactSketch compact = sketch.compact();
    return new Blob(
        StandardBlobTypes.APACHE_DATASKETCHES_THETA_V1,
        List.of(field),
        3055729675574597004L,
        7,
        ByteBuffer.wrap(compact.toByteArray()),
        codec,
        Map.of("ndv", String.valueOf((long) compact.getEstimate())));
  }

  private static byte[] random(long seed, int size) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private void add(String name, String note, byte[] file) {
    fixtures.add(new PuffinFixture(name, note, file, 0));
  }

  private void addDvs(String name, String note, Map<String, PositionScript> deletes)
      throws IOException {
    addDvs(name, note, deletes, 0);
  }

  private void addDvs(String name, String note, Map<String, PositionScript> deletes, long rows)
      throws IOException {
    fixtures.add(
        new PuffinFixture(name, note, DvBlobs.writeWithDvWriter(deletes, Map.of()), rows));
  }
}
