package dev.topobench.flink;

/** A heat map that topo-bench has created, as one instance of the sink writes to it: its partition. */
interface HeatMap extends AutoCloseable {
  /** The checkpoint of a partition whose input has ended: the heat map includes all of it. */
  long ENDED = Long.MAX_VALUE;

  /** The last checkpoint whose rows are in the heat map; 0 for none. */
  long committed();

  /** Adds all rows or none; on a server with the MongoDB protocol, a call that fails may have added some. */
  void add(Sums sums) throws Exception;

  /**
   * Adds all rows and saves the checkpoint that they belong to, or does neither.
   *
   * @throws Exception also when another attempt has claimed the partition: nothing is added then
   */
  void add(Sums sums, long checkpoint) throws Exception;
}
