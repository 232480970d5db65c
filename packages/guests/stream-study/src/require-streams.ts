/** Checks before a run that this machine has what its cells need: databases, sources of copies, grids and engines. */

import { MissingParts, type RunEnvironment } from '@topo-bench/measured';
import { serverAddress } from '@topo-bench/stores/servers/connection-strings';
import { requireServer } from '@topo-bench/stores/servers/start-server';
import { engineNamed } from './engine/engines.ts';
import { reads } from './jobs/job-size.ts';
import type { StreamTrial } from './parts.ts';
import { requireGrid } from './require-grid.ts';
import { requireFitImage, requireTransactions } from './require-transactions.ts';
import type { Stream } from './settings-schema.ts';
import { sourceEngine } from './source-of-copy.ts';

type Server = Pick<Stream, 'database' | 'url' | 'image' | 'guarantee'>;

/**
 * @param signal ends pulls of images
 * @throws TopoBenchError that lists all that is missing or unfit; the hint has the choice that leaves it out
 * @throws the reason of the signal
 */
export async function requireStreams(
  cells: readonly StreamTrial[],
  environment: RunEnvironment,
  signal: AbortSignal,
): Promise<void> {
  const { serverUrls: flags } = environment;
  const missing = new MissingParts('stream');
  const servers = serversOf(cells);
  for (const { server, cells: own } of servers) {
    const { database: engine, url, image } = server;
    await missing.check(labelOf(server, servers), own, async () => {
      requireFitImage(server, flags);
      await requireServer({ engine, url, image, flags, signal });
      await requireTransactions(server, flags);
    });
  }
  signal.throwIfAborted();
  const onGrids = grouped(cells, ({ grid, gridUrl }) => JSON.stringify([grid, gridUrl]));
  for (const own of onGrids) await missing.check(streamOf(own[0]).grid, own, () => requireGrid(streamOf(own[0])));
  // A database can be the reason: each is checked.
  const onEngines = grouped(cells, ({ engine, database }) => JSON.stringify([engine, database]));
  await Promise.all(
    onEngines.map((own) =>
      missing.check(streamOf(own[0]).engine, own, async () => {
        const engine = await engineNamed(streamOf(own[0]).engine);
        await engine.require(own.map(streamOf), environment);
      }),
    ),
  );
  missing.requireNone(cells);
}

interface ServerOfCells {
  server: Server;
  cells: StreamTrial[];
}

/** A copy needs the server of its source too. */
function serversOf(cells: readonly StreamTrial[]): ServerOfCells[] {
  const found = new Map<string, ServerOfCells>();
  for (const cell of cells) {
    const { job, database, url, image, guarantee } = streamOf(cell);
    const own: Server = { database, url, image, guarantee: reads(job) ? 'at-least-once' : guarantee };
    const source: Server = { database: sourceEngine, url: undefined, image: undefined, guarantee: 'at-least-once' };
    for (const server of job === 'copy' && database !== sourceEngine ? [own, source] : [own]) {
      const key = JSON.stringify(server);
      found.set(key, { server, cells: [...(found.get(key)?.cells ?? []), cell] });
    }
  }
  return [...found.values()];
}

/** The database, with what distinguishes its servers where a run has several: the same failure of two is one. */
function labelOf({ database, url, image }: Server, all: readonly ServerOfCells[]): string {
  const others = all.filter(({ server }) => server.database === database);
  const isOne = new Set(others.map(({ server }) => JSON.stringify([server.url, server.image]))).size === 1;
  const which = image === undefined ? 'without an image' : `image ${image}`;
  return isOne ? database : `${database} (${url === undefined ? which : serverAddress(url)})`;
}

function streamOf(cell: StreamTrial | undefined): Stream {
  return cell?.settings.stream as Stream;
}

function grouped(cells: readonly StreamTrial[], keyOf: (stream: Stream) => string): StreamTrial[][] {
  const groups = new Map<string, StreamTrial[]>();
  for (const cell of cells) {
    const key = keyOf(streamOf(cell));
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  return [...groups.values()];
}
