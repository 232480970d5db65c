package dev.topobench.flink;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/** Servers with the MongoDB protocol. The address is a connection string with the database of the heat map. */
final class MongodbDatabase implements Database {
  private static final int CONNECT_LIMIT_MS = 10_000;
  /** Flink cannot interrupt a task that waits for an answer. */
  private static final int ANSWER_LIMIT_MS = 60_000;

  private final ConnectionString address;

  MongodbDatabase(String url, Properties login) {
    address = new ConnectionString(withLogin(url, login));
  }

  @Override
  public HeatMap open(int partition, int rowsPerWrite) {
    MongoClient client = connect();
    try {
      return new MongodbHeatMap(client, address.getDatabase(), partition, rowsPerWrite);
    } catch (RuntimeException error) {
      client.close();
      throw error;
    }
  }

  @Override
  public Claims claims() {
    MongoClient client = connect();
    MongoCollection<Document> checkpoints =
        client.getDatabase(address.getDatabase()).getCollection(MongodbHeatMap.CHECKPOINTS);
    return new Claims() {
      @Override
      public long count() {
        return checkpoints.countDocuments();
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }

  private MongoClient connect() {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(address)
            .applicationName("topo-bench")
            .applyToClusterSettings(
                cluster -> cluster.serverSelectionTimeout(CONNECT_LIMIT_MS, TimeUnit.MILLISECONDS))
            .applyToSocketSettings(
                socket ->
                    socket
                        .connectTimeout(CONNECT_LIMIT_MS, TimeUnit.MILLISECONDS)
                        .readTimeout(ANSWER_LIMIT_MS, TimeUnit.MILLISECONDS))
            .build());
  }

  /** A connection string has its login before the hosts. */
  private static String withLogin(String url, Properties login) {
    if (login.getProperty("user") == null) return url;
    int hosts = url.indexOf("://") + 3;
    String password = login.getProperty("password");
    String user = encoded(login.getProperty("user")) + (password == null ? "" : ":" + encoded(password));
    return url.substring(0, hosts) + user + "@" + url.substring(hosts);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
