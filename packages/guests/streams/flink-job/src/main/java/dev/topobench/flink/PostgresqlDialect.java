package dev.topobench.flink;

import java.sql.Array;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.Map;
import java.util.Properties;
import org.postgresql.PGConnection;

/** PostgreSQL: the rows of a statement are three arrays. */
final class PostgresqlDialect implements SqlDialect {
  private static final Driver DRIVER = JdbcDrivers.unregistered(new org.postgresql.Driver());
  private static final String DEADLOCK = "40P01";
  private static final String CLAIM =
      "INSERT INTO checkpoints (partition, owner) VALUES (?, 1)"
          + " ON CONFLICT (partition) DO UPDATE SET owner = checkpoints.owner + 1 RETURNING owner, position";
  private static final String ADD =
      "INSERT INTO heat_map SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::bigint[])"
          + " ON CONFLICT (cell) DO UPDATE SET crossings = heat_map.crossings + excluded.crossings,"
          + " event_time_ms = greatest(heat_map.event_time_ms, excluded.event_time_ms)";

  @Override
  public Connection connect(String url, Properties login) throws SQLException {
    return DRIVER.connect(url, login);
  }

  @Override
  public Claim claim(Connection connection, int partition) throws SQLException {
    try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
      claim.setInt(1, partition);
      try (ResultSet claimed = claim.executeQuery()) {
        claimed.next();
        return new Claim(claimed.getLong("owner"), claimed.getLong("position"));
      }
    }
  }

  @Override
  public String saveCheckpoint() {
    return "UPDATE checkpoints SET position = ?, state = '' WHERE partition = ? AND owner = ?";
  }

  @Override
  public RowWriter rowWriter(Connection connection) throws SQLException {
    PreparedStatement add = connection.prepareStatement(ADD);
    PGConnection arrays = connection.unwrap(PGConnection.class);
    return (rows, count) -> addNext(add, arrays, rows, count);
  }

  private static void addNext(
      PreparedStatement add, PGConnection arrays, Iterator<Map.Entry<Long, Sums.Row>> rows, int count)
      throws SQLException {
    long[] cells = new long[count];
    long[] crossings = new long[count];
    long[] timesMs = new long[count];
    for (int at = 0; at < count; at++) {
      Map.Entry<Long, Sums.Row> next = rows.next();
      cells[at] = next.getKey();
      crossings[at] = next.getValue().crossings;
      timesMs[at] = next.getValue().timeMs;
    }
    int parameter = 1;
    for (long[] column : new long[][] {cells, crossings, timesMs}) {
      Array array = arrays.createArrayOf("int8", column);
      add.setArray(parameter++, array);
    }
    add.executeUpdate();
  }

  @Override
  public boolean isRolledBack(SQLException error) {
    return DEADLOCK.equals(error.getSQLState());
  }
}
