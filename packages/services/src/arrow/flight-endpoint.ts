/**
 * The Flight endpoint of a service with `arrow.flight`: a gRPC server on its own port, next to the role's HTTP server.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { FlightServer, type FlightServerOptions, type FlightService } from '@topo-bench/arrow-flight';
import { flightErrorOf, SeededTable } from '@topo-bench/columns';
import { clientUser, isLoopback, type ListenAddress, type RoleArrow } from '@topo-bench/core';
import type { ArrowFlight } from '@topo-bench/core/schema/arrow';
import type { RoleCounters } from '../control/role-counters.ts';
import type { FullConfig } from '../full-config.ts';
import { HostCheck } from '../http/host-check.ts';
import { StartFailure } from '../user-service/start-failure.ts';
import { ServedColumns } from './served-columns.ts';
import { tableFlight } from './table-flight.ts';

export interface FlightEndpoint {
  /** URL for Flight clients: `grpc+tcp://…` or `grpc+tls://…`. */
  url: string;
  /** Drains calls in flight for up to `graceMs`, then aborts them. */
  close(graceMs: number): Promise<void>;
}

/** @throws StartFailure when its password or certificates are missing */
export async function startFlight(
  config: FullConfig,
  arrow: RoleArrow,
  flight: ArrowFlight,
  counters: RoleCounters,
): Promise<FlightEndpoint> {
  const table = new SeededTable(arrow.table, config.name, config.seed);
  const columns = new ServedColumns(config, arrow, counters);
  const { name, listen, secrets } = config;
  const { digestKey } = secrets;
  const service = tableFlight({ name, table, columns, counters, endpoints: flight.endpoints, digestKey });
  const options: FlightServerOptions = {
    maxMessageBytes: flight.maxMessage,
    statusOf: flightErrorOf,
    ...loginOf(config, arrow, flight),
    ...authoritiesOf(listen, arrow, flight),
    ...(await tlsOf(config, flight)),
  };
  const sql = await sqlOf(config, arrow, flight, counters);
  const server = new FlightServer(sql?.extend(service) ?? service, options);
  const url = await server.listen(listen.flightPort ?? 0, listen.host);
  return {
    url,
    close: async (graceMs) => {
      await server.close(graceMs);
      await sql?.close();
    },
  };
}

/** Loaded only by a service with Flight SQL. */
async function sqlOf(
  config: FullConfig,
  arrow: RoleArrow,
  { sql }: ArrowFlight,
  counters: RoleCounters,
): Promise<{ extend(service: FlightService): FlightService; close(): Promise<void> } | undefined> {
  if (!sql) return undefined;
  const [{ openServiceSql }, { withSql }] = await Promise.all([
    import('./service-sql.ts'),
    import('@topo-bench/columns/sql'),
  ]);
  const { flights, close } = await openServiceSql(config, arrow, sql, counters).catch((error: Error) => {
    throw notReady(`the service "${config.name}" cannot answer queries over Flight SQL: ${error.message}`);
  });
  return { extend: (service) => withSql(service, flights), close };
}

/** Without a configured login, clients log in with the token of the run. An open service needs no login. */
function loginOf(
  { name, secrets }: FullConfig,
  { table }: RoleArrow,
  { login }: ArrowFlight,
): Pick<FlightServerOptions, 'authentication'> {
  if (!login) return table.open ? {} : { authentication: { check: isCaller(clientUser, secrets.clientToken) } };
  const expected = secrets.flight?.password ?? process.env[login.password];
  if (expected === undefined) {
    throw notReady(`the service "${name}" has no password for Flight: the variable ${login.password} is not set`);
  }
  return { authentication: { check: isCaller(login.user, expected) } };
}

/** Nothing else protects an open service on loopback from pages whose name resolves to it. */
function authoritiesOf(
  { host, published }: ListenAddress,
  { table }: RoleArrow,
  { login, tls }: ArrowFlight,
): Pick<FlightServerOptions, 'acceptsAuthority'> {
  // Clients may verify a certificate, and so address the server, by any name.
  if (!table.open || login || tls?.enabled || !(published || isLoopback(host))) return {};
  const hosts = new HostCheck(host, published);
  return { acceptsAuthority: (authority) => hosts.accepts(authority) };
}

function isCaller(name: string, secret: string): (user: string, password: string) => boolean {
  return (user, password) => {
    // Always compares both: the response time must not reveal which one was wrong.
    const [isUser, isPassword] = [isSameSecret(user, name), isSameSecret(password, secret)];
    return isUser && isPassword;
  };
}

function notReady(message: string): StartFailure {
  return new StartFailure(
    'TB_ROLE_NOT_READY',
    message,
    'correct `arrow.flight` of the service, or provide the variable or file that it names',
  );
}

async function tlsOf({ name, secrets }: FullConfig, { tls }: ArrowFlight): Promise<Pick<FlightServerOptions, 'tls'>> {
  if (!tls?.enabled) return {};
  if (secrets.flight?.tls) return { tls: secrets.flight.tls };
  const read = (file: string): Promise<string> =>
    readFile(file, 'utf8').catch((error: Error) => {
      throw notReady(`the service "${name}" cannot read a file for TLS: ${error.message}`);
    });
  const [certificate, key, clientCa] = await Promise.all([
    read(tls.certificate),
    read(tls.key),
    tls.clientCa && read(tls.clientCa),
  ]);
  return { tls: { certificate, key, ...(clientCa && { clientCa }) } };
}

/** Compares in a time that reveals neither contents nor length. */
function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
