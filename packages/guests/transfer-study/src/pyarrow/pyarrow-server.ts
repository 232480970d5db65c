/**
 * pyarrow's Flight server with the table of a transfer, as a child process on loopback. It reads the different batches
 * of the table from a file in a private folder, which is removed as soon as the server is ready.
 */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeStream } from '@topo-bench/arrow-flight/ipc';
import { differentBatches, SeededTable } from '@topo-bench/columns';
import { TopoBenchError } from '@topo-bench/core';
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import { describeEnd, PendingAnswer, readTreeUsage, SupervisedChild } from '@topo-bench/host';
import { readTree } from '@topo-bench/study-kit/tree-reading';
import type { FlightServer } from '../flight-server.ts';
import { requirePyarrow } from './find-pyarrow.ts';

export interface PyarrowServerOptions {
  /** Name of the service: the path of its flight. */
  service: string;
  table: ArrowService;
  seed: number;
  digestKey: string;
  /** Left out: open to every caller. */
  login?: { user: string; password: string };
  signal: AbortSignal;
}

/** First line of its output. */
interface Ready {
  location: string;
  version: string;
}

/** Next to the source of this module, and next to the bundle. */
const script = fileURLToPath(new URL('./pyarrow_server.py', import.meta.url));
const readyTimeoutMs = 60_000;
/** It has nothing to save. */
const graceMs = 1000;

/**
 * @throws TopoBenchError `TB_FLIGHT_NO_SERVER`, `TB_FLIGHT_SERVER_FAILED`; the reason of `signal` when that was aborted
 */
export async function startPyarrowServer({ signal, ...options }: PyarrowServerOptions): Promise<FlightServer> {
  const { python } = await requirePyarrow();
  const folder = await mkdtemp(join(tmpdir(), 'topo-bench-flight-'));
  try {
    const file = join(folder, 'table.arrows');
    await writeTable(file, options);
    signal.throwIfAborted();
    return await start(python, file, options, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A table repeats its first batches: those are all that the server needs of it. */
async function writeTable(file: string, { service, table, seed }: Omit<PyarrowServerOptions, 'signal'>): Promise<void> {
  const seeded = new SeededTable(table, service, seed);
  const [, count] = seeded.batchesOf(0, 1);
  const batches = Array.from({ length: Math.min(count, differentBatches) }, (_, number) => seeded.batchAt(number));
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const chunk of writeStream(seeded.schema, batches)) await handle.writeFile(chunk);
  } finally {
    await handle.close();
  }
}

async function start(
  python: string,
  file: string,
  { service, table, digestKey, login }: Omit<PyarrowServerOptions, 'signal'>,
  signal: AbortSignal,
): Promise<FlightServer> {
  const deaths: TopoBenchError[] = [];
  let onDeath = (error: TopoBenchError): void => void deaths.push(error);
  const ready = new PendingAnswer<Ready>();
  const child = new SupervisedChild({
    command: python,
    args: ['-B', script],
    stdio: ['pipe', 'pipe', 'pipe'],
    ownGroup: true,
    killAtExit: true,
    onLine: (line) => ready.settle(JSON.parse(line) as Ready),
    onDeath: () => void reportDeath(),
  });
  const reportDeath = async (): Promise<void> => {
    const error = failed(describeEnd(await child.exitedWithErrors()), child);
    ready.fail(error);
    onDeath(error);
  };
  const bound = AbortSignal.any([signal, AbortSignal.timeout(readyTimeoutMs)]);
  const giveUp = (): void => ready.fail(signal.aborted ? signal.reason : failed('was not ready within 60 s', child));
  bound.addEventListener('abort', giveUp, { once: true });
  const { rows, batchRows, flight } = table;
  const settings = { service, file, rows, batchRows, endpoints: flight?.endpoints, digestKey, login };
  try {
    const { location, version } = await ready.ask(() => child.writeLine(settings));
    return {
      identity: { name: 'pyarrow', version },
      isService: false,
      flightUrl: location,
      usage: async () => (child.pid === undefined ? undefined : readTreeUsage([child.pid])),
      reading: async (options) => (child.pid === undefined ? undefined : readTree(child.pid, options)),
      stats: async () => undefined,
      onDeath(callback) {
        onDeath = callback;
        deaths.forEach(callback);
      },
      stop: () => child.stop(graceMs),
    };
  } catch (error) {
    await child.stop(graceMs);
    throw error;
  } finally {
    bound.removeEventListener('abort', giveUp);
  }
}

function failed(how: string, { errorLines }: SupervisedChild): TopoBenchError {
  const lines = errorLines.map((line) => `\n  | ${line}`).join('');
  return new TopoBenchError('TB_FLIGHT_SERVER_FAILED', `the Flight server of pyarrow ${how}${lines}`);
}
