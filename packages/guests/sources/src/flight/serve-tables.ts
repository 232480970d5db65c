/** A Flight server with tables. */
import { FlightServer, type FlightServerOptions } from '@topo-bench/arrow-flight';
import { flightErrorOf } from './flight-errors.ts';
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
