package dev.topobench.flink;

import java.net.URI;
import java.util.Properties;
import javax.net.ssl.SSLParameters;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** Redis and Valkey. The address is {@code redis://host:port/database#prefix}, with the prefix of all keys. */
final class RedisDatabase implements Database {
  /** Flink cannot interrupt a task that waits for an answer. */
  private static final int ANSWER_LIMIT_MS = 60_000;
  private static final int CONNECT_LIMIT_MS = 10_000;

  private final URI address;
  private final Properties login;

  RedisDatabase(String url, Properties login) {
    address = URI.create(url);
    this.login = login;
  }

  @Override
  public HeatMap open(int partition, int rowsPerWrite) {
    Jedis client = connect();
    try {
      return new RedisHeatMap(client, address.getFragment(), partition, rowsPerWrite);
    } catch (RuntimeException error) {
      client.close();
      throw error;
    }
  }

  @Override
  public Claims claims() {
    Jedis client = connect();
    String owners = RedisHeatMap.keysOf(address.getFragment()).get(RedisHeatMap.OWNERS);
    return new Claims() {
      @Override
      public long count() {
        return client.hlen(owners);
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }

  private Jedis connect() {
    DefaultJedisClientConfig.Builder options =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis(CONNECT_LIMIT_MS)
            .socketTimeoutMillis(ANSWER_LIMIT_MS)
            .clientName("topo-bench")
            .user(login.getProperty("user"))
            .password(login.getProperty("password"))
            .database(databaseOf(address.getPath()));
    if (address.getScheme().equals("rediss")) options.ssl(true).sslParameters(withNameOfServer());
    // A literal address of version 6 is in brackets.
    String host = address.getHost().replaceAll("[\\[\\]]", "");
    return new Jedis(new HostAndPort(host, address.getPort()), options.build());
  }

  private static int databaseOf(String path) {
    return path == null || path.length() < 2 ? 0 : Integer.parseInt(path.substring(1));
  }

  /** The certificate must be that of the host, as Node.js checks it. */
  private static SSLParameters withNameOfServer() {
    SSLParameters parameters = new SSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    return parameters;
  }
}
