/** The Hazelcast cluster in front of the databases: always user-supplied. */
import { TopoBenchError } from '@topo-bench/core';
import { addressOfGrid } from '@topo-bench/stores/hazelcast/grid-address';
import { portFault } from '@topo-bench/stores/servers/port-fault';
import type { Stream } from './settings-schema.ts';

export const variable = 'TOPO_BENCH_HAZELCAST_URL';
const connectTimeoutMs = 5000;

/** @returns undefined without a grid @throws TopoBenchError `TB_STORE_NO_SERVER` */
export function gridUrlOf({ grid, gridUrl }: Stream): string | undefined {
  if (grid === 'none') return undefined;
  const url = process.env[variable] || gridUrl;
  if (url !== undefined) return url;
  throw new TopoBenchError('TB_STORE_NO_SERVER', '`grid: hazelcast` needs a Hazelcast cluster: none is specified', {
    hint: `start one, and set ${variable} to hazelcast://host:port/cluster, or use \`grid: none\``,
  });
}

/** Checks that it answers. @throws TopoBenchError `TB_STORE_NO_SERVER`, `TB_STORE_URL`, `TB_STORE_UNREACHABLE` */
export async function requireGrid(stream: Stream): Promise<void> {
  const url = gridUrlOf(stream);
  if (url !== undefined) await connectOnce(url);
}

/** @throws TopoBenchError `TB_STORE_URL`, `TB_STORE_UNREACHABLE` */
export async function connectOnce(url: string): Promise<void> {
  const { host, cluster } = addressOfGrid(url);
  const { connectGrid } = await import('@topo-bench/stores/hazelcast/grid');
  try {
    const grid = await connectGrid(url, connectTimeoutMs);
    await grid.shutdown();
  } catch (cause) {
    // The client reports no reason.
    const fault = await portFault(host, connectTimeoutMs);
    const why = fault?.text ?? `the port is open, but no member of the cluster ${cluster} answered`;
    const message = `the Hazelcast cluster does not answer: tried hazelcast://${host}, and ${why}`;
    const hint = `${fault?.hint ?? 'correct the name of the cluster, or the port'}, in ${variable} or \`gridUrl\``;
    throw new TopoBenchError('TB_STORE_UNREACHABLE', message, { hint, cause });
  }
}
