/** The server for a store: user-supplied, in a container, or started on this machine. */
import type { Engine } from '@topo-bench/containers';
import { type ServerReach, type StoreEngine, TopoBenchError } from '@topo-bench/core';
import { engines, imageOf } from '../engines.ts';
import { namedServer, type ServerUrls, urlVariable } from './connection-strings.ts';
import { launch } from './launch.ts';
import type { LocalServer } from './local-server.ts';
import { requireAnswer } from './require-answer.ts';
import type { StoreServer } from './store-server.ts';

/** The roles are processes on this machine. */
const localReach: ServerReach = { listen: '127.0.0.1', loopback: '127.0.0.1' };

/** The fields of the file about the server of a store. */
export interface ServerSource {
  engine: StoreEngine;
  /** Connection string. One from a flag or the environment takes precedence over it. */
  url?: string | undefined;
  /** Container image. A connection string takes precedence over it. */
  image?: string | undefined;
}

export interface StartServerOptions extends ServerSource {
  /** Connection strings from flags. */
  flags?: ServerUrls | undefined;
  /** How the roles reach servers on this machine. Default: as processes. */
  reach?: ServerReach;
  /** Folder that keeps the log of a container that failed. */
  logsDir?: string | undefined;
  /** Ends a pull or a start. */
  signal?: AbortSignal | undefined;
}

/**
 * @throws TopoBenchError `TB_STORE_NO_SERVER` without any, `TB_STORE_URL`, `TB_STORE_UNREACHABLE` when a user-supplied
 * one does not answer, `TB_STORE_LOGIN` when it rejects user or password, `TB_STORE_SERVER_FAILED`; for an image
 * `TB_ENGINE_NO_IMAGE` and what `connectEngine` throws
 */
export async function startServer(options: StartServerOptions): Promise<StoreServer> {
  const { engine, url, image, flags = {}, reach = localReach, logsDir, signal } = options;
  const named = namedServer(engine, { flag: flags[engine], file: url });
  if (named) {
    await requireAnswer(engine, named, reach);
    return userSuppliedServer(engine, named);
  }
  if (image !== undefined) {
    const on = await engineFor(options, image, reach);
    const { launchImage } = await import('./image-server.ts');
    return launchImage(on, { engine, image, reach, logsDir, signal });
  }
  const found = await requireFound(engine);
  return launch(found.recipe(), requireListen(engine, reach), signal);
}

/**
 * Checks in advance that `startServer` would find a server, and that a user-supplied one answers. Pulls a missing
 * image.
 * @throws TopoBenchError `TB_STORE_NO_SERVER`, `TB_STORE_URL`, `TB_STORE_UNREACHABLE`, `TB_STORE_LOGIN`,
 *   `TB_ENGINE_NO_IMAGE` and what `connectEngine` throws; the reason of the signal
 */
export async function requireServer(options: StartServerOptions): Promise<void> {
  const { engine, url, image, flags = {}, reach = localReach } = options;
  const named = namedServer(engine, { flag: flags[engine], file: url });
  if (named) return requireAnswer(engine, named, reach);
  if (image !== undefined) return void (await engineFor(options, image, reach));
  await requireFound(engine);
  requireListen(engine, reach);
}

async function requireFound(engine: StoreEngine): Promise<LocalServer> {
  const { findServer, installation } = await engines[engine].server();
  const found = await findServer();
  if (found) return found;
  throw noServer(engine, installation);
}

function requireListen(engine: StoreEngine, reach: ServerReach): string {
  if (reach.listen !== undefined) return reach.listen;
  const { flag, image } = engines[engine];
  const named = `name a server that they reach with ${flag}`;
  const hint =
    reach.containers && image ? `write \`image: ${image.example}\` under \`persistence\`, or ${named}` : named;
  const message = `the roles of this runner do not reach a ${engine} server on this machine`;
  throw new TopoBenchError('TB_STORE_UNREACHABLE', message, { hint });
}

/** The port of a container is published where roles reach it, unless the container joins their network. */
async function engineFor({ engine, signal }: StartServerOptions, image: string, reach: ServerReach): Promise<Engine> {
  imageOf(engine);
  if (!reach.containers) requireListen(engine, reach);
  // Only runs with containers load a client of an engine.
  const { engineWithImage } = await import('./server-image.ts');
  return engineWithImage(image, reach, signal);
}

function userSuppliedServer(engine: StoreEngine, named: { url: string; source: string }): StoreServer {
  const nothing = async (): Promise<void> => {};
  const server = { engine, origin: 'connection-string', ...named, pid: undefined, started: [] } as const;
  return { ...server, onDeath: undefined, restart: nothing, renew: nothing, stop: nothing };
}

function noServer(engine: StoreEngine, installation: string): TopoBenchError {
  const { flag, image } = engines[engine];
  return new TopoBenchError(
    'TB_STORE_NO_SERVER',
    `no ${engine} server: none is specified, and none is installed on this machine`,
    {
      hint:
        `specify one with ${flag} or ${urlVariable(engine)}, or ${installation}` +
        (image ? `, or write \`image: ${image.example}\` under \`persistence\` to run it in a container` : ''),
    },
  );
}
