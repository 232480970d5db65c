/** A Flight server with tables. */
import { FlightError, FlightServer, type FlightServerOptions, type GrpcFailure } from '@topo-bench/arrow-flight';
import { TopoBenchError } from '@topo-bench/core';
import { flightService, type ServedTable } from './served-tables.ts';

export interface FlightEndpointOptions extends FlightServerOptions {
  /** Default: a free port. */
  port?: number;
  /** Default: the loopback address. */
  host?: string;
}

export interface TablesEndpoint {
  /** `grpc+tcp://host:port`, or `grpc+tls://` with TLS. */
  url: string;
  /** Drains calls in flight for up to `graceMs`, then aborts them. The tables stay open. */
  close(graceMs?: number): Promise<void>;
}

/** @param tables by their name, which is path and ticket */
export async function serveTables(
  tables: ReadonlyMap<string, ServedTable>,
  { port, host, ...options }: FlightEndpointOptions = {},
): Promise<TablesEndpoint> {
  const server = new FlightServer(flightService(tables), { statusOf: flightErrorOf, ...options });
  const url = await server.listen(port, host);
  return { url, close: (graceMs) => server.close(graceMs) };
}

/** Flight statuses for the errors of sources. */
const statuses: Readonly<Record<string, GrpcFailure>> = {
  TB_SOURCE_NOT_FOUND: 'not-found',
  TB_SOURCE_TYPE: 'unimplemented',
  TB_SOURCE_VALUE: 'out-of-range',
  TB_SOURCE_QUERY: 'invalid-argument',
  TB_SOURCE_LOST: 'unavailable',
  TB_SOURCE_DAMAGED: 'data-loss',
  TB_STORE_UNREACHABLE: 'unavailable',
};

/** @returns undefined for other errors, which end a call as `internal` */
function flightErrorOf(error: unknown): FlightError | undefined {
  if (!(error instanceof TopoBenchError)) return undefined;
  const status = statuses[error.code];
  if (status === undefined) return undefined;
  return new FlightError(status, error.message, { cause: error, ...(error.hint && { hint: error.hint }) });
}
