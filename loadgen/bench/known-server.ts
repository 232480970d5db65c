/**
 * The parent's side of a server whose behaviour is known: it answers after a fixed delay, stalls on a timetable, and
 * writes down by its own clock when it began and ended each request.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { withoutCollections } from '../src/generator/quiet-runtime.ts';
import { warmUp } from '../src/warm-up.ts';
import { smallOrders } from './small-orders.ts';

export interface ServerKind {
  name: string;
  delayMs: number;
  /** Blocks for so long, 1 s after the first request and every 2 s from then on. 0: never. */
  stallMs: number;
  /**
   * A plain `node:http` server, fresh for every measurement, warmed by the tool's own warm-up alone and not held still;
   * it stamps in its handler.
   */
  ordinary?: boolean;
  /**
   * Answers with one chunk of so many bytes, at 100 req/s at most. The server's log ends with the write, so its row
   * compares tools and has no bounds of its own.
   */
  chunkBytes?: number;
}

export const maxRateOfChunksRps = 100;

export const serverKinds: readonly ServerKind[] = [
  { name: '0 ms', delayMs: 0, stallMs: 0 },
  { name: '5 ms', delayMs: 5, stallMs: 0 },
  { name: '20 ms', delayMs: 20, stallMs: 0 },
  { name: '5 ms + stalls', delayMs: 5, stallMs: 300 },
  { name: '0 ms, 256 kB', delayMs: 0, stallMs: 0, chunkBytes: 256 * 1024 },
  { name: '0 ms, ordinary', delayMs: 0, stallMs: 0, ordinary: true },
  { name: '5 ms, ordinary', delayMs: 5, stallMs: 0, ordinary: true },
  { name: '20 ms, ordinary', delayMs: 20, stallMs: 0, ordinary: true },
];

export const stallPeriodMs = 2000;

const warmth = { connections: 64, windowUs: 200_000, maxUs: 6_000_000, requests: 10_000, change: 0.05 };
const warmthOfChunks = { ...warmth, connections: 8, requests: 500 };

/** Requests that the server has answered, on the host's shared monotonic clock in µs. */
export interface ServerLog {
  /** Number at the end of the request's id; −1 without one. */
  index: Int32Array;
  /** The request came out of the socket; the answer was handed to the system. */
  beginUs: Float64Array;
  endUs: Float64Array;
  /** From the begin of each stall until the requests that had piled up were read. */
  busyUs: [from: number, to: number][];
}

/**
 * `begin`: forget what was, and stall from now on. `log`: hand over what was written down. Both end the stalls so far,
 * and are answered with the log.
 */
export type ServerMessage = 'begin' | 'log';

export interface KnownServer {
  url: string;
  /** A load comes: what was before is forgotten. */
  begin(): Promise<void>;
  log(): Promise<ServerLog>;
  close(): Promise<void>;
}

/**
 * Starts it and warms it up, unless it is ordinary: a server that still compiles its code answers no two requests
 * alike, and its compiler's threads keep requests waiting before it can write down that they came.
 * @param script the bundled server process
 */
export async function startKnownServer(
  script: string,
  { delayMs, stallMs, ordinary = false, chunkBytes = 0 }: ServerKind,
): Promise<KnownServer> {
  const child: ChildProcess = fork(
    script,
    [delayMs, stallMs, ordinary ? 'ordinary' : 'still', chunkBytes].map(String),
    {
      serialization: 'advanced',
      execArgv: ordinary ? [] : [...withoutCollections],
    },
  );
  const [port] = (await once(child, 'message')) as [number];
  const url = `http://127.0.0.1:${port}/requests`;
  const ask = async (message: ServerMessage): Promise<ServerLog> => {
    child.send(message);
    return ((await once(child, 'message')) as [ServerLog])[0];
  };
  if (!ordinary) {
    let answered = 0;
    const onAnswer = (): void => {
      answered++;
    };
    await warmUp({
      url,
      request: smallOrders,
      seed: 1,
      ...(chunkBytes > 0 ? warmthOfChunks : warmth),
      onAnswer,
      servedPerProcess: async () => [answered],
    });
  }
  return {
    url,
    begin: async () => {
      await ask('begin');
    },
    log: () => ask('log'),
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
