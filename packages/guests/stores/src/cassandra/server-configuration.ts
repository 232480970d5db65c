/** Configuration of a Cassandra server of one node with a small heap. Durability is that of its defaults. */
import type { Place } from '../servers/recipe.ts';

/** Packages that Cassandra opens, as in its own `jvm17-server.options`. */
const exported = [
  'java.base/jdk.internal.misc',
  'java.base/jdk.internal.ref',
  'java.base/jdk.internal.perf',
  'java.base/sun.nio.ch',
  'java.management.rmi/com.sun.jmx.remote.internal.rmi',
  'java.rmi/sun.rmi.registry',
  'java.rmi/sun.rmi.server',
  'java.rmi/sun.rmi.transport.tcp',
  'java.sql/java.sql',
  'java.base/java.lang.ref',
  'jdk.unsupported/sun.misc',
];
const opened = [
  'java.base/java.lang.module',
  'java.base/jdk.internal.loader',
  'java.base/jdk.internal.ref',
  'java.base/jdk.internal.reflect',
  'java.base/jdk.internal.math',
  'java.base/jdk.internal.module',
  'java.base/jdk.internal.util.jar',
  'java.base/sun.nio.ch',
  'java.base/java.io',
  'java.base/java.nio',
  'java.base/java.lang',
  'java.base/java.lang.reflect',
  'java.base/java.util',
  'java.base/java.util.concurrent',
  'java.base/java.util.concurrent.atomic',
  'java.rmi/sun.rmi.transport.tcp',
  'jdk.management/com.sun.management.internal',
];

export const jvmOptions: readonly string[] = [
  '-Xms256m',
  '-Xmx512m',
  '-XX:+UseSerialGC',
  '-XX:MaxDirectMemorySize=128m',
  '-Djdk.attach.allowAttachSelf=true',
  // No file in the folder of temporary files that all users share.
  '-XX:+PerfDisableSharedMem',
  ...exported.map((name) => `--add-exports=${name}=ALL-UNNAMED`),
  ...opened.map((name) => `--add-opens=${name}=ALL-UNNAMED`),
  '-Dcassandra-foreground=yes',
  // A ring of one node waits for no other.
  '-Dcassandra.skip_wait_for_gossip_to_settle=0',
  '-Dcassandra.ring_delay_ms=1',
  '-Dcassandra.superuser_setup_delay_ms=0',
  // The min of the server: more rounds would protect a password that can be guessed, and delay every connection.
  '-Dcassandra.auth_bcrypt_gensalt_log2_rounds=4',
];

export const logging = `<configuration>
  <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%-5level %d{HH:mm:ss.SSS} %logger{20} - %msg%n</pattern></encoder>
  </appender>
  <root level="WARN"><appender-ref ref="STDOUT"/></root>
</configuration>
`;

/** @param storagePort port for other nodes, which it needs even without any */
export function configurationOf({ host, port }: Place, data: string, storagePort: number): string {
  return `cluster_name: topo-bench
authenticator: PasswordAuthenticator
# A dropped user cannot log in from that moment on.
credentials_validity: 0ms
num_tokens: 1
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
data_file_directories: ['${data}/data']
commitlog_directory: '${data}/commitlog'
saved_caches_directory: '${data}/saved_caches'
hints_directory: '${data}/hints'
cdc_raw_directory: '${data}/cdc_raw'
commitlog_sync: periodic
commitlog_sync_period: 10000ms
commitlog_total_space: 256MiB
listen_address: ${host}
rpc_address: ${host}
start_native_transport: true
native_transport_port: ${port}
storage_port: ${storagePort}
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters: [{ seeds: '${host}:${storagePort}' }]
auto_snapshot: false
memtable_heap_space: 64MiB
memtable_offheap_space: 32MiB
memtable_allocation_type: heap_buffers
file_cache_size: 32MiB
key_cache_size: 4MiB
networking_cache_size: 16MiB
`;
}
