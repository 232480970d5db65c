/** Configuration of an HBase cluster in one process, with ZooKeeper, and of the REST server in front of it. */
import type { Place } from '../servers/recipe.ts';

/** Packages that HBase opens, as in its own script. */
const opened = [
  'java.base/java.lang',
  'java.base/java.lang.reflect',
  'java.base/java.net',
  'java.base/java.nio',
  'java.base/java.util',
  'java.base/java.util.concurrent',
  'java.base/jdk.internal.misc',
  'java.base/sun.nio.ch',
];
const exported = ['java.base/jdk.internal.misc', 'java.security.jgss/sun.security.krb5'];

export const jvmOptions: readonly string[] = [
  '-Xms128m',
  '-Xmx512m',
  '-XX:+UseSerialGC',
  // No file in the folder of temporary files that all users share.
  '-XX:+PerfDisableSharedMem',
  ...opened.map((name) => `--add-opens=${name}=ALL-UNNAMED`),
  ...exported.map((name) => `--add-exports=${name}=ALL-UNNAMED`),
  '-Djava.net.preferIPv4Stack=true',
];

/** Ports that the parts of the cluster use among themselves. */
export interface ClusterPorts {
  zookeeper: number;
  master: number;
  regionServer: number;
}

/** @param data folder of its files */
export function configurationOf({ host, port }: Place, data: string, ports: ClusterPorts): string {
  const properties = {
    'hbase.rootdir': `file://${data}/hbase`,
    'hbase.tmp.dir': `${data}/tmp`,
    // Local files pass writes to the system, and do not report that they can.
    'hbase.unsafe.stream.capability.enforce': false,
    'hbase.zookeeper.quorum': '127.0.0.1',
    'hbase.zookeeper.property.clientPort': ports.zookeeper,
    'hbase.zookeeper.property.dataDir': `${data}/zookeeper`,
    'hbase.master.hostname': 'localhost',
    'hbase.master.ipc.address': '127.0.0.1',
    'hbase.master.port': ports.master,
    'hbase.master.info.port': -1,
    // A cluster of one server waits for no other.
    'hbase.master.wait.on.regionservers.maxtostart': 1,
    'hbase.regionserver.hostname': 'localhost',
    'hbase.regionserver.ipc.address': '127.0.0.1',
    'hbase.regionserver.port': ports.regionServer,
    'hbase.regionserver.info.port': -1,
    'hbase.rest.host': host,
    'hbase.rest.port': port,
    'hbase.rest.info.port': -1,
  };
  const lines = Object.entries(properties).map(
    ([name, value]) => `  <property><name>${name}</name><value>${value}</value></property>\n`,
  );
  return `<configuration>\n${lines.join('')}</configuration>\n`;
}

/** File names and contents: the distribution logs with Log4j 2, and jars from Maven with its predecessor. */
export const logging: Readonly<Record<string, string>> = {
  'log4j.properties': `log4j.rootLogger=WARN,S
log4j.appender.S=org.apache.log4j.ConsoleAppender
log4j.appender.S.layout=org.apache.log4j.PatternLayout
log4j.appender.S.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
`,
  'log4j2.properties': `rootLogger=WARN,S
appender.S.type=Console
appender.S.name=S
appender.S.layout.type=PatternLayout
appender.S.layout.pattern=%d{ISO8601} %p %c{2}: %m%n
`,
};
