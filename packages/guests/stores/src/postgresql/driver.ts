/** Connections to PostgreSQL: how to open them, and which errors mean that the server is gone. */
import type { Client, ClientConfig } from 'pg';
import pg from 'pg';
import type { ConnectionDriver } from '../connection-pool.ts';
import { setSession } from './session-settings.ts';

const lost = new WeakSet<Client>();

export function postgresDriver(url: string, timeoutMs: number): ConnectionDriver<Client> {
  return {
    connect: () => connectTo(url, timeoutMs),
    isOpen: (client) => !lost.has(client),
    disconnect,
    isUnavailable,
  };
}

function disconnect(client: Client): void {
  lost.add(client);
  client.end().catch(() => {});
  // A server that does not answer would not close its side either.
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** A connection with the settings that our statements require. */
export async function connectTo(url: string, timeoutMs: number): Promise<Client> {
  const config: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    application_name: 'topo-bench',
    // Times stay in the server's text format.
    types: { getTypeParser: (id, format) => (id === timestamptz ? asText : pg.types.getTypeParser(id, format)) },
  };
  const client = new pg.Client(config);
  client.on('error', () => lost.add(client));
  client.on('end', () => lost.add(client));
  await client.connect();
  try {
    await setSession(client, { timezone: 'UTC', datestyle: 'ISO' }, timeoutMs);
  } catch (error) {
    disconnect(client);
    throw error;
  }
  return client;
}

const timestamptz = 1184;

function asText(value: string): string {
  return value;
}

/**
 * SQLSTATE classes: connection exception, insufficient resources, operator intervention (shutdown), database dropped.
 */
const unavailableStates = /^(08|53|57|3D)/;

function isUnavailable(error: unknown): boolean {
  const { code } = error as { code?: string };
  // Errors of other sources have no SQLSTATE: the connection ended, or the system refused it.
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return true;
  return unavailableStates.test(code);
}
