package dev.topobench.flink;

/** The partitions of a heat map that an instance of the sink has claimed. */
interface Claims extends AutoCloseable {
  long LIMIT_MS = 60_000;
  long POLL_MS = 5;

  long count() throws Exception;

  /**
   * Waits until all partitions are claimed: the time of a job does not include the connections of its sink.
   *
   * <p>Each job has a new heat map, so the claims are its own. A restarted attempt finds those of the attempt before,
   * and does not wait. Sums stay right without the wait, because an instance of the sink claims before it writes.
   *
   * @throws IllegalStateException when they are not claimed within a minute, e.g. for want of slots
   */
  static void await(Database database, int partitions) throws Exception {
    long startNs = System.nanoTime();
    try (Claims claims = database.claims()) {
      for (long claimed = claims.count(); claimed < partitions; claimed = claims.count()) {
        if (System.nanoTime() - startNs > LIMIT_MS * 1_000_000) {
          throw new IllegalStateException(
              "partitions with an instance of the sink: got " + claimed + ", expected " + partitions);
        }
        Thread.sleep(POLL_MS);
      }
    }
  }
}
