/**
 * Connections to an Ignite cluster, and SQL on them. The client mixes up answers of several requests that arrive in
 * parts: each connection has one request in flight.
 */
import IgniteClient from 'apache-ignite-client';
import type { ConnectionDriver } from '../connection-pool.ts';

export interface IgniteConnection {
  client: IgniteClient;
  isOpen(): boolean;
  close(): void;
}

export function igniteDriver(url: string, timeoutMs: number): ConnectionDriver<IgniteConnection> {
  return {
    connect: () => connectTo(url, timeoutMs),
    isOpen: (connection) => connection.isOpen(),
    disconnect: (connection) => connection.close(),
    isUnavailable,
  };
}

/** @param url `ignite://user:password@host:port/name` */
async function connectTo(url: string, timeoutMs: number): Promise<IgniteConnection> {
  const { hostname, port, username, password } = new URL(url);
  // Ends its socket, and the attempts of the client to connect again.
  const lifetime = new AbortController();
  let [hasConnected, isOpen] = [false, false];
  const client = new IgniteClient((state) => {
    isOpen = state === IgniteClient.STATE.CONNECTED;
    if (hasConnected && !isOpen) lifetime.abort();
  });
  const configuration = new IgniteClient.IgniteClientConfiguration(port ? `${hostname}:${port}` : hostname);
  configuration.setConnectionOptions(false, { signal: lifetime.signal, noDelay: true });
  if (username) {
    configuration.setUserName(decodeURIComponent(username)).setPassword(decodeURIComponent(password));
  }
  const timer = setTimeout(() => lifetime.abort(), timeoutMs);
  try {
    await client.connect(configuration);
    hasConnected = true;
  } catch (error) {
    throw lifetime.signal.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error;
  } finally {
    clearTimeout(timer);
  }
  const close = (): void => {
    client.disconnect();
    lifetime.abort();
  };
  return { client, isOpen: () => isOpen, close };
}

/** Runs one operation on a connection of its own, which ends it when it is late. @throws the driver's error */
export async function withConnection<T>(
  url: string,
  timeoutMs: number,
  operation: (client: IgniteClient) => Promise<T>,
): Promise<T> {
  const connection = await connectTo(url, timeoutMs);
  const timer = setTimeout(() => connection.close(), timeoutMs);
  try {
    return await operation(connection.client);
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}

type Value = number | string | readonly number[];

const { LONG, STRING } = IgniteClient.ObjectType.PRIMITIVE_TYPE;
const longs = new IgniteClient.ObjectArrayType(LONG);
/** Max rows in one answer. */
const pageSize = 10_000;

/** The client sends each statement through a cache. This one exists in every cluster that is active. */
const systemCache = 'ignite-sys-cache';

/** @returns rows; of a statement that writes, one row with the number of rows written */
export async function runSql(client: IgniteClient, sql: string, values: readonly Value[] = []): Promise<unknown[][]> {
  const query = new IgniteClient.SqlFieldsQuery(sql)
    .setSchema('PUBLIC')
    .setPageSize(pageSize)
    .setArgs(...values)
    .setArgTypes(...values.map(typeOf));
  return (await client.getCache(systemCache).query(query)).getAll();
}

function typeOf(value: Value): unknown {
  if (typeof value === 'number') return LONG;
  return typeof value === 'string' ? STRING : longs;
}

const goneAnswers = /Cache does not exist|Table "?\w+"? not found/i;
const goingAnswers = /inactive|is stopping|invalid state|has been stopped|node left|topology|lost partitions/i;

const { OperationError, LostConnectionError, IllegalStateError } = IgniteClient.Errors;

/** The client has more errors: of values that it cannot send, which are mistakes of the caller. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof OperationError) return goingAnswers.test(error.message);
  if (error instanceof LostConnectionError || error instanceof IllegalStateError) return true;
  return /^E[A-Z]+$/.test(String((error as NodeJS.ErrnoException).code));
}

/** A server that keeps data in memory has lost it with a restart. */
export function isGone(error: unknown): boolean {
  return error instanceof OperationError && goneAnswers.test(error.message);
}
