package dev.topobench.flink;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Rows to add to a heat map: sums of crossings by cell, with the latest event time and the earliest creation. */
final class Sums {
  /** Cell, crossings, latest event time in ms, earliest creation in µs. */
  private static final int COLUMNS = 4;

  static final class Row {
    long crossings;
    long timeMs;
    long createdUs;
  }

  final Map<Long, Row> rows = new HashMap<>();

  void add(long cell, long crossings, long timeMs, long createdUs) {
    Row row = rows.get(cell);
    if (row == null) {
      row = new Row();
      row.timeMs = timeMs;
      row.createdUs = createdUs;
      rows.put(cell, row);
    }
    row.crossings += crossings;
    row.timeMs = Math.max(row.timeMs, timeMs);
    row.createdUs = Math.min(row.createdUs, createdUs);
  }

  int size() {
    return rows.size();
  }

  /** @param checkpoint the checkpoint that the rows belong to */
  byte[] encoded(long checkpoint) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * (1 + COLUMNS * rows.size()));
    bytes.putLong(checkpoint);
    rows.forEach(
        (cell, row) -> bytes.putLong(cell).putLong(row.crossings).putLong(row.timeMs).putLong(row.createdUs));
    return bytes.array();
  }

  static long checkpointOf(byte[] encoded) {
    return ByteBuffer.wrap(encoded).getLong();
  }

  static Sums decoded(byte[] encoded) {
    ByteBuffer bytes = ByteBuffer.wrap(encoded);
    bytes.getLong();
    Sums sums = new Sums();
    while (bytes.hasRemaining()) sums.add(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    return sums;
  }
}
