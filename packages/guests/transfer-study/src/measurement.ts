/** The result of one transfer. */
import type { RoleStats, TopoBenchError } from '@topo-bench/core';
import type { HostUse } from '@topo-bench/host';
import type { GroupUse, LoadResult, ProcessUse } from '@topo-bench/loadgen';
import type { FlightServer } from './flight-server.ts';

/** Result of a transfer. */
export interface TransferMeasurement {
  load: LoadResult;
  use: Readonly<Record<string, GroupUse>>;
  host: HostUse | undefined;
  /** Usage of `service`. */
  processes: Record<string, ProcessUse>;
  server: FlightServer['identity'];
  /** Counters of the service; undefined when it died, or when another server without counters replaced it. */
  stats: RoleStats | undefined;
  deaths: readonly TopoBenchError[];
}
