package dev.topobench.flink;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;

/** A database with SQL and transactions. */
final class SqlDatabase implements Database {
  private static final String CLAIMS = "SELECT count(*) FROM checkpoints";

  private final SqlDialect dialect;
  private final String url;
  private final Properties login;

  /** @param url JDBC address, without user and password */
  SqlDatabase(SqlDialect dialect, String url, Properties login) {
    this.dialect = dialect;
    this.url = url;
    this.login = login;
  }

  @Override
  public HeatMap open(int partition, int rowsPerWrite) throws SQLException {
    Connection connection = dialect.connect(url, login);
    try {
      return new SqlHeatMap(connection, dialect, partition, rowsPerWrite);
    } catch (SQLException error) {
      connection.close();
      throw error;
    }
  }

  @Override
  public Claims claims() throws SQLException {
    Connection connection = dialect.connect(url, login);
    return new Claims() {
      @Override
      public long count() throws SQLException {
        try (PreparedStatement claims = connection.prepareStatement(CLAIMS);
            ResultSet counted = claims.executeQuery()) {
          counted.next();
          return counted.getLong(1);
        }
      }

      @Override
      public void close() throws SQLException {
        connection.close();
      }
    };
  }
}
