package dev.topobench.flink;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.Map;
import java.util.Properties;

/** What differs between databases with SQL. The tables are those that topo-bench creates. */
interface SqlDialect {
  Connection connect(String url, Properties login) throws SQLException;

  /**
   * Makes the caller the owner of a partition, after transactions of the earlier owner that have begun. The caller
   * commits.
   */
  Claim claim(Connection connection, int partition) throws SQLException;

  /** An update of no row when the owner has changed; its parameters are checkpoint, partition and owner. */
  String saveCheckpoint();

  RowWriter rowWriter(Connection connection) throws SQLException;

  /** Whether the server has undone the transaction in favour of another one. */
  boolean isRolledBack(SQLException error);

  /** A partition as its new owner finds it. */
  final class Claim {
    /** Higher than that of all earlier owners. */
    final long owner;
    /** The last saved checkpoint; 0 for none. */
    final long committed;

    Claim(long owner, long committed) {
      this.owner = owner;
      this.committed = committed;
    }
  }

  /** Adds rows to the heat map. */
  interface RowWriter {
    /** Adds the next rows in one statement. */
    void addNext(Iterator<Map.Entry<Long, Sums.Row>> rows, int count) throws SQLException;
  }
}
