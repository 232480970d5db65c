package dev.topobench.flink;

import java.time.Instant;

/** Wall-clock time in µs: operators of one job can be in several processes. */
final class Clock {
  private Clock() {}

  static long nowUs() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }
}
