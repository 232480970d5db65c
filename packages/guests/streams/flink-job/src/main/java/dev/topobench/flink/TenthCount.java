package dev.topobench.flink;

/** Counts in tenths of a second. The current tenth is two plain numbers: a map entry per point would cost too much. */
final class TenthCount {
  private static final long TENTH_US = 100_000;
  private final Tally tally;
  private long tenth;
  private long count;

  /** @param tally receives the counts by tenth since 1970 */
  TenthCount(Tally tally) {
    this.tally = tally;
  }

  void add(long nowUs, long amount) {
    long now = Math.floorDiv(nowUs, TENTH_US);
    if (now != tenth) {
      finish();
      tenth = now;
    }
    count += amount;
  }

  /** Adds the current tenth to the tally. */
  void finish() {
    if (count > 0) tally.add(tenth, count);
    count = 0;
  }
}
