/** What stores could live on here, without starting anything: what `doctor` shows. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type StoreEngine, storeEngines } from '@topo-bench/core';
import { namedServer, urlVariables, withoutPasswords } from './connection-strings.ts';
import { findPostgresBinaries } from './embedded-postgres.ts';
import { findServers, waysToGet } from './found-binaries.ts';

export interface StoreChoice {
  engine: StoreEngine;
  /** What a run would use; undefined when there is nothing. */
  found: string | undefined;
  /** Variable that names a server of the user's. */
  variable: string;
  /** How to get one, beside naming one. */
  ways: string;
}

export function surveyStores(): Promise<StoreChoice[]> {
  return Promise.all(
    storeEngines.map(async (engine) => ({
      engine,
      found: await choiceOf(engine),
      variable: urlVariables[engine],
      ways: waysToGet(engine),
    })),
  );
}

async function choiceOf(engine: StoreEngine): Promise<string | undefined> {
  const named = tryNamed(engine);
  if (named !== undefined) return named;
  if (engine === 'postgresql') {
    const binaries = await findPostgresBinaries();
    return binaries && `PostgreSQL, embedded (${binaries.version})`;
  }
  const found = findServers().find((server) => server.engine === engine);
  return found && `${found.product}: ${(await versionOf(found.path)) ?? found.path}`;
}

function tryNamed(engine: StoreEngine): string | undefined {
  try {
    const named = namedServer(engine);
    return named && `${withoutPasswords(named.url)} (${named.source})`;
  } catch (error) {
    return (error as Error).message;
  }
}

async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 5000 });
    return stdout.split('\n')[0]?.trim() || undefined;
  } catch {
    return undefined;
  }
}
