package dev.topobench.flink;

import java.io.IOException;
import java.util.Properties;

/** The database of a heat map. A class for each protocol implements it. */
interface Database {
  /** The database of a job: the protocol is that of its address. */
  static Database of(JobSettings settings) throws IOException {
    Properties login = Resources.login();
    if (settings.url.startsWith("jdbc:postgresql:")) return new SqlDatabase(new PostgresqlDialect(), settings.url, login);
    if (settings.url.startsWith("jdbc:mariadb:")) return new SqlDatabase(new MysqlDialect(), settings.url, login);
    if (settings.url.startsWith("mongodb")) return new MongodbDatabase(settings.url, login);
    return new RedisDatabase(settings.url, login);
  }

  /**
   * Connects an instance of the sink, and ends the writes of earlier attempts of its partition.
   *
   * @param rowsPerWrite max rows of one statement
   */
  HeatMap open(int partition, int rowsPerWrite) throws Exception;

  /** Connects to count the claimed partitions of the heat map. */
  Claims claims() throws Exception;
}
