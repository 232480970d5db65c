/** Finds the container engine of the user, Docker or Podman, and connects to it. */
import { TopoBenchError } from '@topo-bench/core';
import type Docker from 'dockerode';
import { type AddressOptions, engineAddresses } from './engine-address.ts';
import { connectionOptions, type EngineAddress } from './engine-connection.ts';
import { type EngineFacts, readEngineFacts } from './engine-facts.ts';

export interface Engine {
  /** Client of the engine's API. It has no open connection between requests. */
  client: Docker;
  facts: EngineFacts;
  address: EngineAddress;
  /** Host name or address at which published ports are reached. */
  publishedHost: string;
}

/** Docker 20.10, of December 2020. Podman 4 reports the same version. */
const oldestApi = '1.41';
const answerTimeoutMs = 10_000;
const loopback = '127.0.0.1';

/**
 * Connects to the chosen engine (see `engineAddresses`), or to the first one that answers.
 * @throws TopoBenchError `TB_ENGINE_ADDRESS`, `TB_ENGINE_NOT_FOUND`, `TB_ENGINE_NO_PERMISSION`,
 * `TB_ENGINE_UNSUITABLE`
 */
export async function connectEngine(options: AddressOptions = {}): Promise<Engine> {
  const addresses = engineAddresses(options);
  const failures: { address: EngineAddress; cause: NodeJS.ErrnoException }[] = [];
  for (const address of addresses) {
    const connection = connectionOptions(address);
    // Loaded on the first use: no other runner needs it.
    const { default: Client } = await import('dockerode');
    const client = new Client(connection);
    const overSocket = connection.socketPath !== undefined;
    try {
      const facts = await readEngineFacts(client, overSocket, AbortSignal.timeout(answerTimeoutMs));
      const engine = { client, facts, address, publishedHost: overSocket ? loopback : (connection.host as string) };
      requireSuitable(engine);
      return engine;
    } catch (error) {
      if (error instanceof TopoBenchError) throw error;
      failures.push({ address, cause: error as NodeJS.ErrnoException });
    }
  }
  throw notConnected(failures);
}

function requireSuitable({ facts, address }: Engine): void {
  const { product, version, apiVersion, containersFor } = facts;
  const name = `${product} ${version} (${address.source})`;
  if (containersFor !== 'linux') {
    throw new TopoBenchError('TB_ENGINE_UNSUITABLE', `${name} runs ${containersFor} containers, expected linux`, {
      hint: 'switch the engine to Linux containers',
    });
  }
  if (apiVersion.localeCompare(oldestApi, 'en', { numeric: true }) < 0) {
    const message = `${name} has API version ${apiVersion}, expected ${oldestApi} or newer`;
    throw new TopoBenchError('TB_ENGINE_UNSUITABLE', message, { hint: 'install Docker 20.10 or Podman 4, or newer' });
  }
}

function notConnected(failures: readonly { address: EngineAddress; cause: NodeJS.ErrnoException }[]): TopoBenchError {
  const refused = failures.find(({ cause }) => cause.code === 'EACCES' || cause.code === 'EPERM');
  if (refused) {
    const { address, cause } = refused;
    return new TopoBenchError('TB_ENGINE_NO_PERMISSION', `no permission to use ${address.url}, ${address.source}`, {
      hint: 'join the group of the socket (sudo usermod -aG docker $USER, then log in again), or use a rootless engine',
      cause,
    });
  }
  const list = failures.map(({ address, cause }) => `${address.url}, ${address.source}: ${reasonOf(cause)}`);
  return new TopoBenchError('TB_ENGINE_NOT_FOUND', `no container engine answers at ${list.join('; ')}`, {
    hint:
      'start Docker or Podman (systemctl start docker, Docker Desktop, systemctl --user start podman.socket), ' +
      'or set DOCKER_HOST to its address',
    cause: failures[0]?.cause,
  });
}

function reasonOf(cause: NodeJS.ErrnoException): string {
  if (cause.code === 'ENOENT') return 'there is no such socket';
  if (cause.code === 'ECONNREFUSED') return 'nothing listens there';
  if (cause.name === 'AbortError' || cause.name === 'TimeoutError')
    return `no answer within ${answerTimeoutMs / 1e3} s`;
  return cause.message;
}
