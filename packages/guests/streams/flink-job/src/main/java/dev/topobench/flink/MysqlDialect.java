package dev.topobench.flink;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Iterator;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** MariaDB and MySQL: the rows of a statement are in its text, as those of the embedded engine. */
final class MysqlDialect implements SqlDialect {
  private static final Driver DRIVER = JdbcDrivers.unregistered(new org.mariadb.jdbc.Driver());
  /** Deadlock, and timeout of the wait for a lock. */
  private static final Set<Integer> ROLLED_BACK = Set.of(1213, 1205);
  private static final String CLAIM =
      "INSERT INTO checkpoints (stream_partition, owner) VALUES (?, 1) ON DUPLICATE KEY UPDATE owner = owner + 1";
  private static final String CLAIMED = "SELECT owner, position FROM checkpoints WHERE stream_partition = ? FOR UPDATE";
  private static final String ADD_HEAD = "INSERT INTO heat_map VALUES ";
  private static final String ADD_TAIL =
      " ON DUPLICATE KEY UPDATE crossings = crossings + VALUES(crossings),"
          + " event_time_ms = GREATEST(event_time_ms, VALUES(event_time_ms))";
  /** A row has about as many characters. */
  private static final int ROW_LENGTH = 40;

  @Override
  public Connection connect(String url, Properties login) throws SQLException {
    Connection connection = DRIVER.connect(url, login);
    // At the default isolation level, upserts of different cells lock the gaps between them and deadlock.
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    return connection;
  }

  @Override
  public Claim claim(Connection connection, int partition) throws SQLException {
    try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
      claim.setInt(1, partition);
      claim.executeUpdate();
    }
    try (PreparedStatement claimed = connection.prepareStatement(CLAIMED)) {
      claimed.setInt(1, partition);
      try (ResultSet row = claimed.executeQuery()) {
        row.next();
        return new Claim(row.getLong("owner"), row.getLong("position"));
      }
    }
  }

  /** The driver counts the rows that match, not those that change. */
  @Override
  public String saveCheckpoint() {
    return "UPDATE checkpoints SET position = ?, state = '' WHERE stream_partition = ? AND owner = ?";
  }

  @Override
  public RowWriter rowWriter(Connection connection) throws SQLException {
    Statement add = connection.createStatement();
    return (rows, count) -> add.executeUpdate(addStatement(rows, count));
  }

  private static String addStatement(Iterator<Map.Entry<Long, Sums.Row>> rows, int count) {
    StringBuilder text = new StringBuilder(ADD_HEAD.length() + count * ROW_LENGTH + ADD_TAIL.length());
    text.append(ADD_HEAD);
    for (int at = 0; at < count; at++) {
      Map.Entry<Long, Sums.Row> next = rows.next();
      Sums.Row row = next.getValue();
      text.append(at > 0 ? ",(" : "(").append(next.getKey().longValue()).append(',');
      text.append(row.crossings).append(',').append(row.timeMs).append(')');
    }
    return text.append(ADD_TAIL).toString();
  }

  @Override
  public boolean isRolledBack(SQLException error) {
    return ROLLED_BACK.contains(error.getErrorCode());
  }
}
