package dev.topobench.flink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Properties;

/** What topo-bench adds to the jar of a job: columns of points, and the login of the database. */
final class Resources {
  private Resources() {}

  /** @return the first {@code count} numbers of a column, which has 64-bit little-endian numbers */
  static double[] column(String name, int count) throws IOException {
    try (InputStream input = open(name)) {
      byte[] bytes = input.readNBytes(count * Double.BYTES);
      if (bytes.length < count * Double.BYTES) throw new IOException(name + ": fewer than " + count + " numbers");
      double[] column = new double[count];
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(column);
      return column;
    }
  }

  /** @return the properties of a login: user, and password if it has one */
  static Properties login() throws IOException {
    Properties login = new Properties();
    try (InputStream input = open("login.properties")) {
      login.load(input);
    }
    return login;
  }

  private static InputStream open(String name) throws IOException {
    InputStream input = Resources.class.getResourceAsStream("/topo-bench/" + name);
    if (input == null) throw new IOException("the jar has no " + name + ": submit it with topo-bench");
    return input;
  }
}
