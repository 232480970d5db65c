/** The address of a Hazelcast cluster. */
import { TopoBenchError } from '@topo-bench/core';

const defaultPort = 5701;
const defaultCluster = 'dev';

/** @throws TopoBenchError `TB_STORE_URL` */
export function addressOfGrid(url: string): { host: string; cluster: string } {
  const [, hostname, port, cluster] = /^hazelcast:\/\/([^:/?#@\s]+)(?::(\d+))?(?:\/([^/?#\s]*))?$/.exec(url) ?? [];
  if (hostname === undefined) {
    // It may contain a password.
    throw new TopoBenchError('TB_STORE_URL', 'address of the Hazelcast cluster: got something else', {
      hint: 'write it as hazelcast://host:port/cluster, without user and password',
    });
  }
  return { host: `${hostname}:${port ?? defaultPort}`, cluster: cluster || defaultCluster };
}
