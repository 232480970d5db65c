package dev.topobench.flink;

import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.accumulators.Accumulator;

/** Sums by key, over all instances of an operator. Its text is that of a map: {@code {1=3, 2=5}}. */
public final class Tally implements Accumulator<Long, TreeMap<Long, Long>> {
  private static final long serialVersionUID = 1;
  private final TreeMap<Long, Long> sums = new TreeMap<>();

  /** Adds 1. */
  @Override
  public void add(Long key) {
    add(key, 1);
  }

  void add(long key, long amount) {
    sums.merge(key, amount, Long::sum);
  }

  @Override
  public TreeMap<Long, Long> getLocalValue() {
    return sums;
  }

  @Override
  public void resetLocal() {
    sums.clear();
  }

  @Override
  public void merge(Accumulator<Long, TreeMap<Long, Long>> other) {
    for (Map.Entry<Long, Long> sum : other.getLocalValue().entrySet()) add(sum.getKey(), sum.getValue());
  }

  @Override
  public Accumulator<Long, TreeMap<Long, Long>> clone() {
    Tally copy = new Tally();
    copy.sums.putAll(sums);
    return copy;
  }

  /** @return the bucket of a time in µs; buckets are 0.8% wide, and exact below 256 µs */
  static long bucketOf(long us) {
    int shift = Math.max(0, 56 - Long.numberOfLeadingZeros(Math.max(1, us)));
    return shift * 128L + (Math.max(0, us) >> shift);
  }
}
