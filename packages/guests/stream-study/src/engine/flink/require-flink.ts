/** The Flink cluster of a run: always user-supplied. */
import { TopoBenchError } from '@topo-bench/core';
import type { RunEnvironment } from '@topo-bench/measured';
import { engines } from '@topo-bench/stores/engines';
import { namedServer } from '@topo-bench/stores/servers/connection-strings';
import type { ClusterOverview } from '@topo-bench/streams/flink';
import type { Stream } from '../../settings-schema.ts';

export const flag = '--flink-url';
export const variable = 'TOPO_BENCH_FLINK_URL';
/** The job is compiled for it: classes that it extends differ in other versions. */
export const release = '1.20';

/** @throws TopoBenchError `TB_FLINK_MISSING` without an address, or for one with a user and password */
export function flinkUrlOf({ addresses }: Pick<RunEnvironment, 'addresses'>): string {
  const flinkUrl = addresses?.flinkUrl ?? process.env[variable];
  if (!flinkUrl) {
    throw new TopoBenchError('TB_FLINK_MISSING', '`engine: flink` needs a Flink cluster: none is specified', {
      hint: `start one, and give ${flag} or ${variable} the address of its REST interface, e.g. http://127.0.0.1:8081; or use \`engine: embedded\``,
    });
  }
  const url = URL.canParse(flinkUrl) ? new URL(flinkUrl) : undefined;
  const isAddress = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (isAddress) return flinkUrl;
  // Any part of another text may be a password.
  throw new TopoBenchError('TB_FLINK_MISSING', `${flag}: got something else, expected an address without a user`, {
    hint: 'write it as http://host:port or https://host:port',
  });
}

/**
 * Checks that the cluster answers, and its version and slots.
 * @throws TopoBenchError `TB_FLINK_MISSING` without these, or the job
 */
export async function requireFlink(streams: readonly Stream[], environment: RunEnvironment): Promise<void> {
  const url = flinkUrlOf(environment);
  const { jobFolder } = await import('@topo-bench/streams/flink');
  jobFolder();
  for (const stream of streams) requireReachableDatabase(stream, url, environment);
  const { slots, freeSlots } = await clusterAt(url);
  const needed = Math.max(...streams.map(({ partitions }) => partitions));
  if (freeSlots >= needed) return;
  const message = `Flink at ${url} has ${freeSlots} of ${slots} slots free, expected ${needed} for ${needed} partitions`;
  throw new TopoBenchError('TB_FLINK_MISSING', message, {
    hint: 'start task managers, cancel other jobs, or lower `stream.partitions`',
  });
}

/** @throws TopoBenchError `TB_FLINK_MISSING` without an answer, or for another version */
export async function clusterAt(url: string): Promise<ClusterOverview> {
  const { FlinkCluster } = await import('@topo-bench/streams/flink');
  const overview = await new FlinkCluster(url).overview();
  const { version } = overview;
  if (version.startsWith(`${release}.`)) return overview;
  throw new TopoBenchError('TB_FLINK_MISSING', `Flink at ${url}: got version ${version}, expected ${release}.x`, {
    hint: `start a cluster of Flink ${release}, or use \`engine: embedded\``,
  });
}

function requireReachableDatabase(
  { database, url: file }: Stream,
  flinkUrl: string,
  { serverUrls }: RunEnvironment,
): void {
  if (isThisMachine(flinkUrl) || namedServer(database, { flag: serverUrls[database], file })) return;
  const { product, flag, protocols } = engines[database];
  const [[protocol, { defaultPort }] = ['', { defaultPort: 0 }]] = Object.entries(protocols);
  throw new TopoBenchError(
    'TB_FLINK_MISSING',
    `Flink is on another machine, which does not reach the ${product} server of this one`,
    { hint: `name a server that both reach: ${flag} ${protocol}//user:password@host:${defaultPort}/` },
  );
}

function isThisMachine(url: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}
