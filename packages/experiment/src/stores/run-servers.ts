/**
 * The database servers of a run. A resumed run checks that they are the same: figures from two servers are not
 * repetitions of one cell.
 */
import { engineOf, type StoreEngine, TopoBenchError } from '@topo-bench/core';
import type { RunRecord } from '@topo-bench/core/schema/result';
import { engines } from '@topo-bench/stores/engines';
import { namedServer, type ServerUrls, serverAddress } from '@topo-bench/stores/servers/connection-strings';
import type { ExperimentCell, ServerField } from '@topo-bench/trial';

export type RunServer = NonNullable<RunRecord['storeServers']>[number];

/**
 * Servers of the stores of these cells, one entry per engine, and address or image in the file.
 * @param flags connection strings from flags
 * @throws TopoBenchError `TB_STORE_URL`
 */
export function runServers(cells: readonly ExperimentCell[], flags: ServerUrls = {}): RunServer[] {
  const servers = new Map<string, RunServer>();
  for (const { engine, url, image } of cells.flatMap(serversOf)) {
    const file = { ...(url !== undefined && { file: serverAddress(url) }), ...(image !== undefined && { image }) };
    const named = namedServer(engine, { flag: flags[engine], file: url });
    const address = named && { address: serverAddress(named.url), source: named.source };
    const server = { engine, ...file, ...address };
    servers.set(keyOf(server), server);
  }
  return [...servers.values()];
}

function serversOf({ graph, study, settings }: ExperimentCell): ServerField[] {
  const stores = graph.services.flatMap(({ persistence }) => persistence ?? []);
  const ofStudy = study.serverOf?.(settings);
  return [
    ...stores.map((store) => ({ engine: engineOf(store), url: store.url, image: store.image })),
    ...(ofStudy ? [ofStudy] : []),
  ];
}

function keyOf({ engine, file, image }: Pick<RunServer, 'engine' | 'file' | 'image'>): string {
  return `${engine} ${file ?? ''} ${image ?? ''}`;
}

/**
 * @param before servers of the recorded run; undefined if not recorded
 * @throws TopoBenchError `TB_RUN_FOLDER_OTHER_SERVER`
 */
export function requireSameServers(
  folder: string,
  before: readonly RunServer[] | undefined,
  now: readonly RunServer[],
): void {
  const recorded = new Map(before?.map((server) => [keyOf(server), server]));
  for (const server of now) {
    const was = recorded.get(keyOf(server));
    if (!was || was.address === server.address) continue;
    const message = `cannot continue ${folder}: its stores were kept on ${described(was)}, and would now be on ${described(server)}`;
    throw new TopoBenchError('TB_RUN_FOLDER_OTHER_SERVER', message, { hint: wayBack(was, server) });
  }
}

/** `the postgresql server at db:5432 (named by --postgres-url)` */
function described({ engine, address, image, source }: RunServer): string {
  if (address === undefined)
    return `a ${engine} server that topo-bench starts${image === undefined ? '' : ` from the image ${image}`}`;
  return `the ${engine} server at ${address} (named by ${source})`;
}

function wayBack(was: RunServer, { engine, source = '' }: RunServer): string {
  const { flag } = engines[engine as StoreEngine];
  const back =
    was.address === undefined ? `leave out ${source}` : `add ${flag} with the connection string of ${was.address}`;
  return `${back}; or accept figures of both in one run with --allow-other-servers`;
}
