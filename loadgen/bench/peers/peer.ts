/**
 * Other people's load generators, each with its own figures for the same server: none of topo-bench's code takes part.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { giveRealTimePriority } from '@topo-bench/host';
import type { Quantiles } from '../quantiles.ts';

export interface PeerResult {
  /** Response times as the tool reports them, in µs; NaN where it reports no such quantile. */
  measured: Quantiles;
  /** How many requests these are of: the last ones that the server served. Those of the tool's warm-up came before. */
  requests: number;
}

export interface Peer {
  name: string;
  /** Warms up, then drives constant arrivals with the tool's own rate mode. */
  run(load: PeerLoad): Promise<PeerResult>;
}

/**
 * Before the load that counts, at the same rate on the same server. k6 and autocannon warm up in the same process;
 * Fortio and our generator, which cannot, in one before.
 */
export const warmUpSeconds = 2;

export interface PeerLoad {
  url: string;
  rateRps: number;
  seconds: number;
  body: string;
  /** Enough for every request to find a free one. */
  connections: number;
  /** For the tool's own files. */
  folder: string;
}

const execute = promisify(execFile);

/** Runs a tool with the privilege of our generator: real-time priority for its main thread. @returns standard output */
export async function output(command: string, args: string[], seconds: number): Promise<string> {
  const running = execute(command, args, { maxBuffer: 64 * 1024 * 1024, timeout: (seconds + 60) * 1e3 });
  const { pid } = running.child;
  if (pid !== undefined) await giveRealTimePriority(pid, [pid]);
  const { stdout } = await running;
  return stdout;
}

/** The program that the environment variable names, or the one of that name in PATH. */
export function findProgram(name: string, variable: string): string | undefined {
  const named = process.env[variable];
  const candidates = named ? [named] : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
