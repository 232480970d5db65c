/** Gets the server that a store is to live on: one that the user named, the embedded one, or one whose binary is here. */
import { type StoreEngine, TopoBenchError } from '@topo-bench/core';
import { namedServer, urlVariables, withoutPasswords } from './connection-strings.ts';
import { embeddedPostgres, findPostgresBinaries } from './embedded-postgres.ts';
import { findServers, waysToGet } from './found-binaries.ts';
import { launch, type Recipe } from './launch.ts';
import { ping } from './ping.ts';
import type { StoreServer } from './store-server.ts';

export interface StartServerOptions {
  engine: StoreEngine;
  /** Connection string from the file; wins over the environment, and both over what is on the machine. */
  url?: string;
  signal?: AbortSignal;
}

/**
 * @throws TopoBenchError `TB_STORE_NO_SERVER` when there is none, `TB_STORE_URL`, `TB_STORE_UNREACHABLE` for one that was
 *   named and does not answer, `TB_STORE_SERVER_FAILED`
 */
export async function startServer({ engine, url, signal }: StartServerOptions): Promise<StoreServer> {
  const named = namedServer(engine, url);
  if (named) return usersServer(engine, named.url, named.source);
  const recipe = await recipeFor(engine);
  if (recipe) return launch(recipe, signal);
  throw noServer(engine);
}

/**
 * Says before anything starts whether `startServer` would find one.
 * @throws TopoBenchError `TB_STORE_NO_SERVER`, `TB_STORE_URL`
 */
export async function requireServer(engine: StoreEngine, url?: string): Promise<void> {
  if (!namedServer(engine, url) && !(await recipeFor(engine))) throw noServer(engine);
}

async function recipeFor(engine: StoreEngine): Promise<Recipe | undefined> {
  if (engine === 'postgresql') {
    const binaries = await findPostgresBinaries();
    return binaries && embeddedPostgres(binaries);
  }
  const found = findServers().find((server) => server.engine === engine);
  return found?.recipe(found.path);
}

async function usersServer(engine: StoreEngine, url: string, source: string): Promise<StoreServer> {
  await ping(engine, url).catch((cause: Error) => {
    const message = `no ${engine} server answers at ${withoutPasswords(url)} (named by ${source}): ${cause.message}`;
    throw new TopoBenchError('TB_STORE_UNREACHABLE', message, { hint: 'start it, or correct the address', cause });
  });
  const nothing = async (): Promise<void> => {};
  const server = { engine, origin: 'connection-string', source, url, pid: undefined, started: [] } as const;
  return { ...server, onDeath: undefined, restart: nothing, stop: nothing };
}

function noServer(engine: StoreEngine): TopoBenchError {
  return new TopoBenchError('TB_STORE_NO_SERVER', `no ${engine} server is named, and none is on this machine`, {
    hint: `set ${urlVariables[engine]} to the address of a server, or ${waysToGet(engine)}`,
  });
}
