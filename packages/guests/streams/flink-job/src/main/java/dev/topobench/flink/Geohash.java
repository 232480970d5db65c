package dev.topobench.flink;

import java.io.Serializable;

/**
 * Geohash cells as whole numbers: each character has five bits, and bits of longitude and latitude alternate, with
 * longitude first (G. Niemeyer, geohash.org, 2008).
 */
final class Geohash implements Serializable {
  private static final long serialVersionUID = 1;
  private final int bits;
  private final double columns;
  private final double rows;

  /** @param length characters of a cell, 1 to 9 */
  Geohash(int length) {
    bits = length * 5;
    columns = Math.pow(2, (bits + 1) / 2);
    rows = Math.pow(2, bits / 2);
  }

  long cell(double latitude, double longitude) {
    long column = (long) Math.min(columns - 1, Math.floor(((longitude + 180) / 360) * columns));
    long row = (long) Math.min(rows - 1, Math.floor(((latitude + 90) / 180) * rows));
    // The last bit is one of longitude for an odd number of bits.
    return bits % 2 == 1 ? spread(column) | (spread(row) << 1) : spread(row) | (spread(column) << 1);
  }

  /** Places the lower 32 bits at the even positions of 64 bits (Morton order). */
  private static long spread(long value) {
    long spread = value & 0xffffffffL;
    spread = (spread | (spread << 16)) & 0x0000ffff0000ffffL;
    spread = (spread | (spread << 8)) & 0x00ff00ff00ff00ffL;
    spread = (spread | (spread << 4)) & 0x0f0f0f0f0f0f0f0fL;
    spread = (spread | (spread << 2)) & 0x3333333333333333L;
    return (spread | (spread << 1)) & 0x5555555555555555L;
  }
}
