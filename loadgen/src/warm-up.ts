/**
 * Warm-up: a closed loop of requests until every process has served enough and throughput has settled. Without it a run
 * would compare the progress of just-in-time compilers, not architectures.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Entry, type LoadJob, parseTarget } from './load-job.ts';
import { outgoingRequests } from './outgoing-requests.ts';

export interface WarmUpOptions {
  url: string;
  /** Entries of that server, as in `LoadJob`. */
  entries?: readonly Entry[];
  request: LoadJob['request'];
  seed: number;
  /** Clients that each wait for their response before they send again. */
  connections: number;
  windowUs: number;
  /** Max time of the whole warm-up. */
  maxUs: number;
  /** Min requests served by every process. */
  requests: number;
  /** Throughput has settled when the last three windows differ by less than this share of their mean, 0…1. */
  change: number;
  /** Returns the requests that each process has served so far. Called after every window. */
  servedPerProcess: () => Promise<readonly number[]>;
  /** Called for every answer, for callers whose processes do not count themselves. */
  onAnswer?: () => void;
  signal?: AbortSignal;
}

export interface WarmUpResult {
  /** False when the bound was reached first. */
  warm: boolean;
  seconds: number;
  /** Throughput of each window in req/s. */
  windows: number[];
  errors: number;
}

const windowsCompared = 3;
/** Pause of a client after a failed request, to avoid a tight loop on a server that is down. */
const pauseAfterErrorMs = 20;
const maxDrainMs = 5000;

export async function warmUp(options: WarmUpOptions): Promise<WarmUpResult> {
  const { windowUs, maxUs, requests, change, servedPerProcess, signal } = options;
  const startMs = performance.now();
  const loop = startClosedLoop(options);
  const windows: number[] = [];
  let warm = false;
  try {
    while (!warm && (performance.now() - startMs) * 1e3 < maxUs) {
      const before = { answered: loop.answered(), atMs: performance.now() };
      await sleep(windowUs / 1e3, undefined, { signal }).catch(() => signal?.throwIfAborted());
      windows.push(((loop.answered() - before.answered) * 1e3) / (performance.now() - before.atMs));
      warm = hasSettled(windows, change) && (await servedPerProcess()).every((served) => served >= requests);
    }
  } finally {
    await loop.stop();
  }
  return { warm, seconds: (performance.now() - startMs) / 1e3, windows, errors: loop.errors() };
}

/** The last three windows differ by less than `change` of their mean. */
export function hasSettled(windows: readonly number[], change: number): boolean {
  if (windows.length < windowsCompared) return false;
  const last = windows.slice(-windowsCompared);
  const mean = last.reduce((sum, value) => sum + value, 0) / windowsCompared;
  return Math.max(...last) - Math.min(...last) < change * mean;
}

interface ClosedLoop {
  answered: () => number;
  errors: () => number;
  stop: () => Promise<void>;
}

function startClosedLoop({ url, entries, request, seed, connections, onAnswer }: WarmUpOptions): ClosedLoop {
  const own = (entries ?? [{ region: '', url }]).map((entry) => {
    const target = parseTarget(entry.url);
    const options = { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
    return { region: entry.region, target, pool: new Pool(target.origin, options) };
  });
  const [first] = own as [(typeof own)[number]];
  // Repetition 0: no measured repetition has the same requests.
  const outgoing = outgoingRequests({ request, seed, repetition: 0 });
  let [index, answered, errors, running] = [0, 0, 0, true];
  const client = async (): Promise<void> => {
    while (running) {
      try {
        const { method, headers, varied } = outgoing;
        const at = index++;
        const origin = entries && outgoing.origin?.(at);
        const { target, pool } = own.find(({ region }) => region === origin) ?? first;
        const path = target.pathname + target.search;
        const request = varied?.(at) ?? { method, path, headers: headers.flat(), body: outgoing.body(at) };
        const response = await pool.request({ ...request, body: request.body ?? null });
        await response.body.arrayBuffer();
        answered++;
        onAnswer?.();
      } catch {
        if (!running) return;
        errors++;
        await sleep(pauseAfterErrorMs);
      }
    }
  };
  const clients = Array.from({ length: connections }, client);
  return {
    answered: () => answered,
    errors: () => errors,
    async stop() {
      running = false;
      // The measured load must find the system idle; stalled requests are aborted.
      const finished = Promise.all(clients);
      await Promise.race([finished, sleep(maxDrainMs, undefined, { ref: false })]);
      await Promise.all(own.map(({ pool }) => pool.destroy()));
      await finished;
    },
  };
}
