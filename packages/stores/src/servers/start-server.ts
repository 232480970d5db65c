/** The server for a store: user-supplied, or started on this machine. */
import { type StoreEngine, TopoBenchError } from '@topo-bench/core';
import { engines } from '../engines.ts';
import { type NamedServer, namedServer, type ServerUrls, urlVariable, withoutPasswords } from './connection-strings.ts';
import { launch } from './launch.ts';
import { ping } from './ping.ts';
import type { StoreServer } from './store-server.ts';

export interface StartServerOptions {
  engine: StoreEngine;
  /** Connection string from the file. One from a flag or the environment takes precedence over it. */
  url?: string | undefined;
  /** Connection strings from flags. */
  flags?: ServerUrls;
  signal?: AbortSignal;
}

/**
 * @throws TopoBenchError `TB_STORE_NO_SERVER` without any, `TB_STORE_URL`, `TB_STORE_UNREACHABLE` when a user-supplied
 *   one does not answer, `TB_STORE_SERVER_FAILED`
 */
export async function startServer({ engine, url, flags = {}, signal }: StartServerOptions): Promise<StoreServer> {
  const named = namedServer(engine, { flag: flags[engine], file: url });
  if (named) return userSuppliedServer(engine, named);
  const { findServer, installation } = await engines[engine].server();
  const found = await findServer();
  if (found) return launch(found.recipe(), signal);
  throw noServer(engine, installation);
}

/**
 * Checks in advance that `startServer` would find a server, and that a user-supplied one answers.
 * @throws TopoBenchError `TB_STORE_NO_SERVER`, `TB_STORE_URL`, `TB_STORE_UNREACHABLE`
 */
export async function requireServer({ engine, url, flags = {} }: StartServerOptions): Promise<void> {
  const named = namedServer(engine, { flag: flags[engine], file: url });
  if (named) return requireAnswer(engine, named);
  const { findServer, installation } = await engines[engine].server();
  if (!(await findServer())) throw noServer(engine, installation);
}

async function userSuppliedServer(engine: StoreEngine, named: NamedServer): Promise<StoreServer> {
  await requireAnswer(engine, named);
  const nothing = async (): Promise<void> => {};
  const server = { engine, origin: 'connection-string', ...named, pid: undefined, started: [] } as const;
  return { ...server, onDeath: undefined, restart: nothing, renew: nothing, stop: nothing };
}

async function requireAnswer(engine: StoreEngine, { url, source }: NamedServer): Promise<void> {
  await ping(engine, url).catch((cause: Error) => {
    const reason = withoutPasswords(cause.message);
    const message = `no ${engine} server answers at ${withoutPasswords(url)} (named by ${source}): ${reason}`;
    throw new TopoBenchError('TB_STORE_UNREACHABLE', message, {
      hint: 'start the server, or correct its address',
      cause,
    });
  });
}

function noServer(engine: StoreEngine, installation: string): TopoBenchError {
  return new TopoBenchError(
    'TB_STORE_NO_SERVER',
    `no ${engine} server: none is specified, and none is installed on this machine`,
    {
      hint: `specify one with ${engines[engine].flag} or ${urlVariable(engine)}, or ${installation}`,
    },
  );
}
