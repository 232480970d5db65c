/** What stores could live on here, without starting anything: what `doctor` shows. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type StoreEngine, storeEngines } from '@topo-bench/core';
import { namedServer, urlVariables, withoutPasswords } from './connection-strings.ts';
import { findPostgresBinaries } from './embedded-postgres.ts';
import { findServers, waysToGet } from './found-binaries.ts';
import { ping } from './ping.ts';

export interface StoreChoice {
  engine: StoreEngine;
  /** What a run would use, without passwords: an address, or a product with its version and place; undefined when there is nothing. */
  found: string | undefined;
  /** Why a run could not use it. */
  problem: string | undefined;
  /** Variable that names a server of the user's. */
  variable: string;
  /** How to get one, beside naming one. */
  ways: string;
}

export function surveyStores(): Promise<StoreChoice[]> {
  return Promise.all(
    storeEngines.map(async (engine) => ({
      engine,
      ...((await ofVariable(engine)) ?? { found: await onMachine(engine), problem: undefined }),
      variable: urlVariables[engine],
      ways: waysToGet(engine),
    })),
  );
}

type Found = Pick<StoreChoice, 'found' | 'problem'>;

/** @returns undefined where the variable is not set */
async function ofVariable(engine: StoreEngine): Promise<Found | undefined> {
  try {
    const named = namedServer(engine);
    if (!named) return undefined;
    const found = `${withoutPasswords(named.url)} (${named.source})`;
    const problem = await ping(engine, named.url).then(
      () => undefined,
      (error: Error) => `does not answer: ${withoutPasswords(error.message)}`,
    );
    return { found, problem };
  } catch (error) {
    return { found: urlVariables[engine], problem: (error as Error).message };
  }
}

async function onMachine(engine: StoreEngine): Promise<string | undefined> {
  if (engine === 'postgresql') {
    const binaries = await findPostgresBinaries();
    if (!binaries) return undefined;
    const version = (await versionOf(join(binaries.native, 'bin', 'postgres'))) ?? '';
    return `PostgreSQL ${version} embedded (embedded-postgres ${binaries.version})`.replace('  ', ' ');
  }
  const server = findServers().find((known) => known.engine === engine);
  if (!server) return undefined;
  const version = await versionOf(server.path);
  return `${server.product}${version === undefined ? '' : ` ${version}`}, ${server.path}`;
}

/** e.g. `10.11.14-MariaDB-0` out of what a binary says of itself. */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 5000 });
    // Its own path may stand in front, with digits of its own.
    return /(?<![\w./-])v?=?(\d+\.\d+[\w.-]*)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}
