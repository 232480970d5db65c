package dev.topobench.flink;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;

/** The settings of a job, from arguments such as {@code --points 1000}. Secrets are in the jar: see {@link Resources}. */
final class JobSettings implements Serializable {
  private static final long serialVersionUID = 1;
  /** Address of the heat map, without user and password: that of JDBC, MongoDB or Redis. */
  final String url;
  /** The first points of the file. */
  final long points;
  /** Points per second; 0 for as fast as the operators take them. */
  final double ratePerSecond;
  final int cellLength;
  /** Length of tumbling windows of event time; 0 without windows. */
  final long windowMs;
  /** How far points may be behind the latest one without being late. */
  final long outOfOrderMs;
  final boolean isExactlyOnce;
  /** Parallelism of the operators after the source. */
  final int partitions;
  /** Max rows of one statement. */
  final int rowsPerWrite;
  final long checkpointEveryMs;
  /** Restarts after failures; further ones fail the job. */
  final int restarts;

  static JobSettings of(String[] arguments) {
    Map<String, String> given = new HashMap<>();
    for (int at = 0; at + 1 < arguments.length; at += 2) given.put(arguments[at], arguments[at + 1]);
    return new JobSettings(given);
  }

  private JobSettings(Map<String, String> given) {
    url = required(given, "--url");
    points = Long.parseLong(required(given, "--points"));
    ratePerSecond = Double.parseDouble(required(given, "--rate"));
    cellLength = Integer.parseInt(required(given, "--cell-length"));
    windowMs = Long.parseLong(required(given, "--window-ms"));
    outOfOrderMs = Long.parseLong(required(given, "--out-of-order-ms"));
    isExactlyOnce = required(given, "--guarantee").equals("exactly-once");
    partitions = Integer.parseInt(required(given, "--partitions"));
    rowsPerWrite = Integer.parseInt(required(given, "--rows-per-write"));
    checkpointEveryMs = Long.parseLong(required(given, "--checkpoint-every-ms"));
    restarts = Integer.parseInt(required(given, "--restarts"));
  }

  private static String required(Map<String, String> given, String name) {
    String value = given.get(name);
    if (value == null) throw new IllegalArgumentException("argument " + name + ": got none, expected a value");
    return value;
  }
}
