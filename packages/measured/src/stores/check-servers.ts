/** Checks before a run that every store has a server that the roles reach. All that are missing are named. */
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { Graph } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';
import { MissingParts } from '../missing-parts.ts';
import { type ReachingRunner, type SourceForRoles, serverSource } from './store-servers.ts';

/** A graph whose stores need servers, and the cells that deploy it. */
export interface GraphWithStores {
  graph: Graph;
  cells: readonly ExperimentCell[];
  runner: ReachingRunner;
}

export interface CheckOptions {
  /** Connection strings from flags. */
  flags?: ServerUrls | undefined;
  /** Ends a pull of an image. Default: none, where the end of the process does. */
  signal?: AbortSignal;
}

/**
 * Adds the servers that are missing.
 * @throws what `Runner.serverReach` throws; the reason of the signal
 */
export async function checkServers(
  graphs: readonly GraphWithStores[],
  missing: MissingParts,
  { flags = {}, signal }: CheckOptions,
): Promise<void> {
  const different = new Map<string, { source: SourceForRoles; cells: ExperimentCell[] }>();
  for (const { graph, cells, runner } of graphs) {
    for (const { persistence } of graph.services) {
      if (!persistence) continue;
      const source = await serverSource(persistence, runner);
      const key = JSON.stringify(source);
      different.set(key, { source, cells: [...(different.get(key)?.cells ?? []), ...cells] });
    }
  }
  if (different.size === 0) return;
  const { requireServer } = await import('@topo-bench/stores/servers/start-server');
  for (const { source, cells } of different.values()) {
    await missing.check(labelOfServer(source), cells, () => requireServer({ ...source, flags, signal }));
  }
  signal?.throwIfAborted();
}

function labelOfServer({ engine, image }: SourceForRoles): string {
  return image === undefined ? engine : `${engine} (image ${image})`;
}

/**
 * The same for one graph without cells.
 * @throws TopoBenchError that names all servers that are missing
 */
export async function requireServers(graph: Graph, runner: ReachingRunner, flags: ServerUrls = {}): Promise<void> {
  const missing = new MissingParts();
  await checkServers([{ graph, cells: [], runner }], missing, { flags });
  missing.requireNone([]);
}
