package dvk.interop;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.iceberg.deletes.DeleteIndexes;
import org.apache.iceberg.deletes.PositionDeleteIndex;

/**
 * A set of positions together with the calls that build it.
 *
 * <p>The calls matter: Iceberg's bytes depend on how a set came to be, not only on what is in it (a
 * container that is a run already stays one in cases where an array would not become one). So the
 * text form spells the calls, and not just the content:
 *
 * <pre>
 *   N      one position                     delete(N)
 *   A-B    positions A to B, both included  delete(A, B + 1)
 *   A:B    the same positions one by one    delete(A), delete(A + 1), ... delete(B)
 *   |      run-encode what is there so far, as serialising does, and go on
 * </pre>
 *
 * Tokens are separated by spaces and carried out from left to right. No token, no position.
 */
final class PositionScript implements DeleteIndexes.Source {
  private enum Call {
    ONE,
    RANGE,
    ONE_BY_ONE,
    ENCODE
  }

  private record Step(Call call, long first, long last) {}

  private final List<Step> steps = new ArrayList<>();
  private String text = null;

  static PositionScript parse(String text) {
    PositionScript script = new PositionScript();
    script.text = text.trim();
    for (String token : text.trim().split("\\s+")) {
      if (!token.isEmpty()) {
        script.steps.add(parseToken(token));
      }
    }
    return script;
  }

  static PositionScript singles(long... positions) {
    return singles(LongStream.of(positions));
  }

  static PositionScript singles(LongStream positions) {
    PositionScript script = new PositionScript();
    positions.forEach(position -> script.steps.add(new Step(Call.ONE, position, position)));
    return script;
  }

  /** The text this was parsed from, or null. */
  String text() {
    return text;
  }

  /** In a few words, by which calls the set is built. */
  String kinds() {
    boolean ranges = steps.stream().anyMatch(step -> step.call() == Call.RANGE);
    boolean encoded = steps.stream().anyMatch(step -> step.call() == Call.ENCODE);
    return (ranges ? "ranges" : "single adds") + (encoded ? ", run-encoded in between" : "");
  }

  private static Step parseToken(String token) {
    if (token.equals("|")) {
      return new Step(Call.ENCODE, 0, 0);
    }
    // A leading minus is a sign: Iceberg must get to see and refuse a negative position.
    int dash = token.indexOf('-', 1);
    int colon = token.indexOf(':');
    int cut = colon >= 0 ? colon : dash;
    if (cut < 0) {
      long position = Long.parseLong(token);
      return new Step(Call.ONE, position, position);
    }
    return new Step(
        colon >= 0 ? Call.ONE_BY_ONE : Call.RANGE,
        Long.parseLong(token.substring(0, cut)),
        Long.parseLong(token.substring(cut + 1)));
  }

  @Override
  public void addTo(DeleteIndexes.Sink sink) {
    for (Step step : steps) {
      switch (step.call()) {
        case ONE -> sink.one(step.first());
        case RANGE -> sink.range(step.first(), step.last() + 1);
        case ONE_BY_ONE -> LongStream.rangeClosed(step.first(), step.last()).forEach(sink::one);
        case ENCODE -> throw new IllegalArgumentException("\"|\" has no meaning here");
      }
    }
  }

  /** Carries out the calls on a fresh index. */
  PositionDeleteIndex toIndex() {
    PositionDeleteIndex index = DeleteIndexes.empty();
    for (Step step : steps) {
      switch (step.call()) {
        case ONE -> index.delete(step.first());
        case RANGE -> index.delete(step.first(), step.last() + 1);
        case ONE_BY_ONE -> LongStream.rangeClosed(step.first(), step.last()).forEach(index::delete);
        case ENCODE -> index.serialize(); // run-encodes the index itself, not a copy
      }
    }
    return index;
  }

  byte[] toBlob() {
    return DvBlobs.bytes(toIndex().serialize());
  }
}
