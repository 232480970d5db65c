package dev.topobench.flink;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.Map;

/** A heat map in a database with SQL. Rows and their checkpoint are one transaction. */
final class SqlHeatMap implements HeatMap {
  private static final int MAX_ATTEMPTS = 10;

  private interface Work<T> {
    T done() throws SQLException;
  }

  private final Connection connection;
  private final SqlDialect dialect;
  private final SqlDialect.RowWriter writer;
  private final PreparedStatement save;
  private final SqlDialect.Claim claim;
  private final int partition;
  private final int rowsPerWrite;

  SqlHeatMap(Connection connection, SqlDialect dialect, int partition, int rowsPerWrite) throws SQLException {
    this.connection = connection;
    this.dialect = dialect;
    this.partition = partition;
    this.rowsPerWrite = rowsPerWrite;
    connection.setAutoCommit(false);
    claim = transaction(() -> dialect.claim(connection, partition));
    save = connection.prepareStatement(dialect.saveCheckpoint());
    writer = dialect.rowWriter(connection);
  }

  @Override
  public long committed() {
    return claim.committed;
  }

  @Override
  public void add(Sums sums) throws SQLException {
    transaction(() -> added(sums));
  }

  @Override
  public void add(Sums sums, long checkpoint) throws SQLException {
    transaction(
        () -> {
          // First, so that an attempt without ownership does no other work.
          save(checkpoint);
          return added(sums);
        });
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  /** Repeats work that the server has undone in favour of another transaction. */
  private <T> T transaction(Work<T> work) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        T result = work.done();
        connection.commit();
        return result;
      } catch (SQLException error) {
        try {
          connection.rollback();
        } catch (SQLException failure) {
          error.addSuppressed(failure);
          throw error;
        }
        if (!dialect.isRolledBack(error) || attempt == MAX_ATTEMPTS) throw error;
      }
    }
  }

  private void save(long checkpoint) throws SQLException {
    save.setLong(1, checkpoint);
    save.setInt(2, partition);
    save.setLong(3, claim.owner);
    if (save.executeUpdate() == 0) throw new SQLException("another attempt has claimed partition " + partition);
  }

  /** @return the number of rows */
  private int added(Sums sums) throws SQLException {
    Iterator<Map.Entry<Long, Sums.Row>> rows = sums.rows.entrySet().iterator();
    for (int left = sums.size(); left > 0; left -= rowsPerWrite) writer.addNext(rows, Math.min(left, rowsPerWrite));
    return sums.size();
  }
}
