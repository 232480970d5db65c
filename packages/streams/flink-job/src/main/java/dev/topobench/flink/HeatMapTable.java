package dev.topobench.flink;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.Map;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGConnection;

/** A heat map in PostgreSQL: the tables that topo-bench creates. Each instance of the sink writes as one partition. */
final class HeatMapTable implements AutoCloseable {
  /** The checkpoint of a partition whose input has ended: the table includes all of it. */
  static final long ENDED = Long.MAX_VALUE;

  private static final String CLAIM =
      "INSERT INTO checkpoints (partition, owner) VALUES (?, 1)"
          + " ON CONFLICT (partition) DO UPDATE SET owner = checkpoints.owner + 1 RETURNING owner, position";
  private static final String ADD =
      "INSERT INTO heat_map SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::bigint[])"
          + " ON CONFLICT (cell) DO UPDATE SET crossings = heat_map.crossings + excluded.crossings,"
          + " event_time_ms = greatest(heat_map.event_time_ms, excluded.event_time_ms)";
  private static final String SAVE =
      "UPDATE checkpoints SET position = ?, state = '' WHERE partition = ? AND owner = ?";
  private static final String CLAIMS = "SELECT count(*) FROM checkpoints WHERE partition < ?";

  private static final long CLAIMS_LIMIT_MS = 60_000;
  private static final long POLL_MS = 5;
  private static final Driver DRIVER = driver();

  private final Connection connection;
  private final PreparedStatement add;
  private final PreparedStatement save;
  private final int partition;
  private final int rowsPerWrite;
  private final long owner;
  /** The last checkpoint whose rows are in the table; 0 for none. */
  final long committed;

  /** Opens the table, and ends the writes of earlier attempts of this partition. */
  HeatMapTable(String url, Properties login, int partition, int rowsPerWrite) throws SQLException {
    this.partition = partition;
    this.rowsPerWrite = rowsPerWrite;
    connection = DRIVER.connect(url, login);
    try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
      claim.setInt(1, partition);
      try (ResultSet claimed = claim.executeQuery()) {
        claimed.next();
        owner = claimed.getLong("owner");
        committed = claimed.getLong("position");
      }
      connection.setAutoCommit(false);
      add = connection.prepareStatement(ADD);
      save = connection.prepareStatement(SAVE);
    } catch (SQLException error) {
      connection.close();
      throw error;
    }
  }

  /**
   * Waits until all partitions are claimed: the time of a job does not include the connections of its sink.
   *
   * <p>Each job has a new table, so the claims are its own. A restarted attempt finds those of the attempt before, and
   * does not wait. Sums stay right without the wait, because an instance of the sink claims before it writes.
   *
   * @throws SQLException also when they are not claimed within a minute, e.g. for want of slots
   */
  static void awaitClaims(String url, Properties login, int partitions) throws SQLException, InterruptedException {
    long startNs = System.nanoTime();
    try (Connection connection = DRIVER.connect(url, login);
        PreparedStatement claims = connection.prepareStatement(CLAIMS)) {
      claims.setInt(1, partitions);
      for (long claimed = countOf(claims); claimed < partitions; claimed = countOf(claims)) {
        if (System.nanoTime() - startNs > CLAIMS_LIMIT_MS * 1_000_000) {
          throw new SQLException("partitions with an instance of the sink: got " + claimed + ", expected " + partitions);
        }
        Thread.sleep(POLL_MS);
      }
    }
  }

  private static long countOf(PreparedStatement statement) throws SQLException {
    try (ResultSet counted = statement.executeQuery()) {
      counted.next();
      return counted.getLong(1);
    }
  }

  /**
   * The driver of the job's own class loader. Its class registers itself with the DriverManager of Java, which would
   * keep the classes of each job for as long as the task manager runs.
   */
  private static Driver driver() {
    boolean isOwn = Driver.class.getClassLoader() == HeatMapTable.class.getClassLoader();
    try {
      if (isOwn && Driver.isRegistered()) Driver.deregister();
    } catch (SQLException error) {
      throw new IllegalStateException("the driver of PostgreSQL cannot be used", error);
    }
    return new Driver();
  }

  /** Adds all rows or none. */
  void add(Sums sums) throws SQLException {
    transaction(sums, 0);
  }

  /** Adds all rows and saves the checkpoint that they belong to, or does neither. */
  void add(Sums sums, long checkpoint) throws SQLException {
    transaction(sums, checkpoint);
  }

  private void transaction(Sums sums, long checkpoint) throws SQLException {
    try {
      if (checkpoint > 0) save(checkpoint);
      Iterator<Map.Entry<Long, Sums.Row>> rows = sums.rows.entrySet().iterator();
      for (int left = sums.size(); left > 0; left -= rowsPerWrite) addNext(rows, Math.min(left, rowsPerWrite));
      connection.commit();
    } catch (SQLException error) {
      try {
        connection.rollback();
      } catch (SQLException failure) {
        error.addSuppressed(failure);
      }
      throw error;
    }
  }

  private void save(long checkpoint) throws SQLException {
    save.setLong(1, checkpoint);
    save.setInt(2, partition);
    save.setLong(3, owner);
    if (save.executeUpdate() == 0) throw new SQLException("another attempt has claimed partition " + partition);
  }

  private void addNext(Iterator<Map.Entry<Long, Sums.Row>> rows, int count) throws SQLException {
    long[] cells = new long[count];
    long[] crossings = new long[count];
    long[] timesMs = new long[count];
    for (int at = 0; at < count; at++) {
      Map.Entry<Long, Sums.Row> next = rows.next();
      cells[at] = next.getKey();
      crossings[at] = next.getValue().crossings;
      timesMs[at] = next.getValue().timeMs;
    }
    add.setArray(1, arrayOf(cells));
    add.setArray(2, arrayOf(crossings));
    add.setArray(3, arrayOf(timesMs));
    add.executeUpdate();
  }

  private Array arrayOf(long[] values) throws SQLException {
    return connection.unwrap(PGConnection.class).createArrayOf("int8", values);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
