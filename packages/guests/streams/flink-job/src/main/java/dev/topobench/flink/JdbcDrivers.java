package dev.topobench.flink;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Iterator;

/**
 * Drivers of the job's own class loader. Their classes register themselves with the DriverManager of Java, which would
 * keep the classes of each job for as long as the task manager runs.
 */
final class JdbcDrivers {
  private JdbcDrivers() {}

  /** Removes all own drivers from the DriverManager. @return the driver, which connects without it */
  static Driver unregistered(Driver driver) {
    Iterator<Driver> drivers = DriverManager.drivers().iterator();
    try {
      while (drivers.hasNext()) {
        Driver registered = drivers.next();
        boolean isOwn = registered.getClass().getClassLoader() == JdbcDrivers.class.getClassLoader();
        if (isOwn) DriverManager.deregisterDriver(registered);
      }
    } catch (SQLException error) {
      throw new IllegalStateException("the driver of the database cannot be used", error);
    }
    return driver;
  }
}
