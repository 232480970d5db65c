/** Runs topo-bench as an ordinary user, in a folder of its own, next to other programs. */
import { execFile } from 'node:child_process';
import { chownSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startForeignLoad } from './foreign-load.ts';

const cli = fileURLToPath(new URL('../../bin/topo-bench.js', import.meta.url));
const nobody = 65_534;
/** Foreign programs: one on each processor, or one; each takes a third of a processor at random. */
const programsOf = { processors: undefined, core: 1 };
export type Foreign = keyof typeof programsOf;
export const foreigns = Object.keys(programsOf) as Foreign[];
const foreignShare = 1 / 3;

export interface Ended {
  code: number;
  stdout: string;
}

export interface OrdinaryUser {
  /** Belongs to the user, and is removed after the work. */
  folder: string;
  /**
   * Runs `topo-bench` to its end. An interrupt reaches the whole process group, and the command tears down what it
   * started. Rejects where bad input or the environment ended it.
   */
  topoBench(args: readonly string[]): Promise<Ended>;
}

/** @param seed of the foreign programs, which run during the whole work */
export async function asOrdinaryUser<T>(
  foreign: Foreign,
  seed: number,
  work: (user: OrdinaryUser) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'topo-bench-noisy-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, nobody, nobody);
  const programs = startForeignLoad(foreignShare, seed, programsOf[foreign]);
  const prefix = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];
  try {
    return await work({
      folder,
      topoBench: (args) => {
        const [command = '', ...words] = [...prefix, process.execPath, cli, ...args];
        return ended(command, words, folder);
      },
    });
  } finally {
    await programs.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function ended(command: string, args: readonly string[], home: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const options = { cwd: home, env: { ...process.env, HOME: home, NODE_OPTIONS: '' }, maxBuffer: 2 ** 26 };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error && typeof error.code === 'string') return reject(error);
      if (child.exitCode === 3 || child.exitCode === 2 || child.exitCode === null) {
        return reject(new Error(`topo-bench ended with ${child.exitCode ?? child.signalCode}: ${stderr}`));
      }
      resolve({ code: child.exitCode, stdout });
    });
  });
}

/** A figure of a JSON document for a table; empty where there is none. */
export function shortFigure(value: unknown): string {
  return typeof value === 'number' ? value.toFixed(1) : '';
}
