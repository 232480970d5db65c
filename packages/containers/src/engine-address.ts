/** Addresses at which a container engine may answer, in the order in which the Docker command line tries them. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { contextAddress, currentContext } from './docker-context.ts';
import type { EngineAddress } from './engine-connection.ts';

export interface AddressOptions {
  /** Name of a Docker context. */
  context?: string | undefined;
  /** Default: the environment of this process. */
  env?: NodeJS.ProcessEnv;
  /** Default: the home directory of the user. */
  home?: string;
}

/**
 * One address when the user chose one: `context`, `DOCKER_HOST`, `DOCKER_CONTEXT` or the current context of Docker, in
 * this order. Otherwise the sockets that exist, Docker's before Podman's; the default socket when none does.
 * @throws TopoBenchError `TB_ENGINE_ADDRESS` for an unknown context
 */
export function engineAddresses(options: AddressOptions = {}): EngineAddress[] {
  const { context, env = process.env, home = homedir() } = options;
  const configFolder = env.DOCKER_CONFIG || join(home, '.docker');
  if (context !== undefined) return [contextAddress(configFolder, context, '--context')];
  if (env.DOCKER_HOST) return [fromVariable(env, configFolder)];
  if (env.DOCKER_CONTEXT) return [contextAddress(configFolder, env.DOCKER_CONTEXT, 'DOCKER_CONTEXT')];
  const current = currentContext(configFolder);
  if (current !== undefined) return [contextAddress(configFolder, current, 'the current context of Docker')];
  const sockets = socketsOf(env, home);
  const existing = sockets.filter(({ url }) => existsSync(new URL(url).pathname));
  return existing.length > 0 ? existing : sockets.slice(0, 1);
}

/** A host without a scheme is a TCP address, as for the Docker command line. */
function fromVariable(env: NodeJS.ProcessEnv, configFolder: string): EngineAddress {
  const given = env.DOCKER_HOST as string;
  const url = given.includes('://') ? given : `tcp://${given}`;
  const address = { url, source: 'DOCKER_HOST' };
  return env.DOCKER_TLS_VERIFY ? { ...address, tlsFolder: env.DOCKER_CERT_PATH || configFolder } : address;
}

function socketsOf(env: NodeJS.ProcessEnv, home: string): EngineAddress[] {
  if (process.platform === 'win32') return [{ url: 'npipe:////./pipe/docker_engine', source: 'the default pipe' }];
  const runtime = env.XDG_RUNTIME_DIR;
  const sockets: [path: string, source: string][] = [
    ['/var/run/docker.sock', 'the default socket'],
    [join(home, '.docker/run/docker.sock'), 'the socket of Docker Desktop'],
    [join(home, '.docker/desktop/docker.sock'), 'the socket of Docker Desktop'],
    ...(runtime ? [[join(runtime, 'docker.sock'), 'the socket of rootless Docker'] as [string, string]] : []),
    ...(runtime ? [[join(runtime, 'podman/podman.sock'), "Podman's user socket"] as [string, string]] : []),
    ['/run/podman/podman.sock', "Podman's system socket"],
  ];
  return sockets.map(([path, source]) => ({ url: `unix://${path}`, source }));
}
