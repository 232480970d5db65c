/** Gets the server that a store is to live on: one that the user named, the embedded one, or one whose binary is here. */
import { type StoreEngine, TopoBenchError } from '@topo-bench/core';
import {
  type NamedServer,
  namedServer,
  type ServerUrls,
  urlFlags,
  urlVariables,
  withoutPasswords,
} from './connection-strings.ts';
import { embeddedPostgres, findPostgresBinaries } from './embedded-postgres.ts';
import { findServers, waysToGet } from './found-binaries.ts';
import { launch, type Recipe } from './launch.ts';
import { ping } from './ping.ts';
import type { StoreServer } from './store-server.ts';

export interface StartServerOptions {
  engine: StoreEngine;
  /** Connection string from the file. One of the environment wins over it, that of a flag over both, and all over what is here. */
  url?: string | undefined;
  /** Connection strings from flags. */
  flags?: ServerUrls;
  signal?: AbortSignal;
}

/**
 * @throws TopoBenchError `TB_STORE_NO_SERVER` when there is none, `TB_STORE_URL`, `TB_STORE_UNREACHABLE` for one that was
 *   named and does not answer, `TB_STORE_SERVER_FAILED`
 */
export async function startServer({ engine, url, flags = {}, signal }: StartServerOptions): Promise<StoreServer> {
  const named = namedServer(engine, { flag: flags[engine], file: url });
  if (named) return usersServer(engine, named);
  const recipe = await recipeFor(engine);
  if (recipe) return launch(recipe, signal);
  throw noServer(engine);
}

/**
 * Says before anything starts whether `startServer` would find one, and one that was named answers.
 * @throws TopoBenchError `TB_STORE_NO_SERVER`, `TB_STORE_URL`, `TB_STORE_UNREACHABLE`
 */
export async function requireServer({ engine, url, flags = {} }: StartServerOptions): Promise<void> {
  const named = namedServer(engine, { flag: flags[engine], file: url });
  if (named) await answering(engine, named);
  else if (!(await recipeFor(engine))) throw noServer(engine);
}

async function recipeFor(engine: StoreEngine): Promise<Recipe | undefined> {
  if (engine === 'postgresql') {
    const binaries = await findPostgresBinaries();
    return binaries && embeddedPostgres(binaries);
  }
  const found = findServers().find((server) => server.engine === engine);
  return found?.recipe(found.path);
}

async function usersServer(engine: StoreEngine, named: NamedServer): Promise<StoreServer> {
  await answering(engine, named);
  const nothing = async (): Promise<void> => {};
  const server = { engine, origin: 'connection-string', ...named, pid: undefined, started: [] } as const;
  return { ...server, onDeath: undefined, restart: nothing, renew: nothing, stop: nothing };
}

async function answering(engine: StoreEngine, { url, source }: NamedServer): Promise<void> {
  await ping(engine, url).catch((cause: Error) => {
    const reason = withoutPasswords(cause.message);
    const message = `no ${engine} server answers at ${withoutPasswords(url)} (named by ${source}): ${reason}`;
    throw new TopoBenchError('TB_STORE_UNREACHABLE', message, { hint: 'start it, or correct the address', cause });
  });
}

function noServer(engine: StoreEngine): TopoBenchError {
  return new TopoBenchError('TB_STORE_NO_SERVER', `no ${engine} server is named, and none is on this machine`, {
    hint: `name one with ${urlFlags[engine]} or ${urlVariables[engine]}, or ${waysToGet(engine)}`,
  });
}
