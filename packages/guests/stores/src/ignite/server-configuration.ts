/** Configuration of an Ignite node that is a cluster of its own. It keeps data in memory, as its defaults do. */
import type { Place } from '../servers/recipe.ts';

/** Packages that Ignite opens, as in its own `jvmdefaults.sh`. */
const opened = [
  'java.base/jdk.internal.access',
  'java.base/jdk.internal.misc',
  'java.base/sun.nio.ch',
  'java.base/sun.util.calendar',
  'java.management/com.sun.jmx.mbeanserver',
  'jdk.internal.jvmstat/sun.jvmstat.monitor',
  'java.base/sun.reflect.generics.reflectiveObjects',
  'jdk.management/com.sun.management.internal',
  'java.base/java.io',
  'java.base/java.nio',
  'java.base/java.net',
  'java.base/java.util',
  'java.base/java.util.concurrent',
  'java.base/java.util.concurrent.locks',
  'java.base/java.util.concurrent.atomic',
  'java.base/java.lang',
  'java.base/java.lang.invoke',
  'java.base/java.math',
  'java.sql/java.sql',
  'java.base/java.time',
];

export const jvmOptions: readonly string[] = [
  '-Xms256m',
  '-Xmx512m',
  '-XX:+UseSerialGC',
  // No file in the folder of temporary files that all users share.
  '-XX:+PerfDisableSharedMem',
  ...opened.map((name) => `--add-opens=${name}=ALL-UNNAMED`),
  '-Djava.net.preferIPv4Stack=true',
  '-DIGNITE_QUIET=true',
  '-DIGNITE_NO_ASCII=true',
  '-DIGNITE_UPDATE_NOTIFIER=false',
  '-DIGNITE_PERFORMANCE_SUGGESTIONS_DISABLED=true',
];

export interface NodePorts {
  /** For other nodes, which it needs even without any. */
  discovery: number;
  communication: number;
}

/** @param work folder of its files */
export function configurationOf({ host, port }: Place, work: string, { discovery, communication }: NodePorts): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<beans xmlns="http://www.springframework.org/schema/beans" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="http://www.springframework.org/schema/beans
    http://www.springframework.org/schema/beans/spring-beans.xsd">
  <bean class="org.apache.ignite.configuration.IgniteConfiguration">
    <property name="workDirectory" value="${work}"/>
    <property name="localHost" value="${host}"/>
    <property name="connectorConfiguration"><null/></property>
    <property name="clientConnectorConfiguration">
      <bean class="org.apache.ignite.configuration.ClientConnectorConfiguration">
        <property name="host" value="${host}"/>
        <property name="port" value="${port}"/>
        <property name="portRange" value="0"/>
      </bean>
    </property>
    <property name="discoverySpi">
      <bean class="org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi">
        <property name="localPort" value="${discovery}"/>
        <property name="localPortRange" value="0"/>
        <property name="ipFinder">
          <bean class="org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder">
            <property name="addresses" value="${host}:${discovery}"/>
          </bean>
        </property>
      </bean>
    </property>
    <property name="communicationSpi">
      <bean class="org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi">
        <property name="localPort" value="${communication}"/>
        <property name="localPortRange" value="0"/>
      </bean>
    </property>
  </bean>
</beans>
`;
}
