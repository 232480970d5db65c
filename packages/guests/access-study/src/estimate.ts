/**
 * Estimates the time of reads and of the loads before them, from rates of a typical machine with two cores; the error
 * is a factor of two.
 */

import type { RepetitionSize } from '@topo-bench/measured';
import type { AccessTrial } from './parts.ts';
import type { AccessSource, AccessVariant } from './settings-schema.ts';
import { programsOf, variantParts } from './variants.ts';

type Path = 'native' | 'connector' | 'flight' | 'columnar' | 'columnarFlight';

/**
 * Rates of `store_sales`. PostgreSQL and Parquet: docs/measurements/data-access.md. MongoDB: from the time of the
 * driver for a document, of which twelve values are decimals.
 */
const rowsPerSecond: Readonly<Record<AccessSource, Readonly<Record<Path, number>>>> = {
  postgresql: { native: 190_000, connector: 100_000, flight: 85_000, columnar: 500_000, columnarFlight: 600_000 },
  mongodb: { native: 30_000, connector: 12_000, flight: 11_000, columnar: 70_000, columnarFlight: 65_000 },
  parquet: { native: 150_000, connector: 80_000, flight: 75_000, columnar: 1_900_000, columnarFlight: 1_100_000 },
};
/** Rows loaded, with their checksum. */
const loadedPerSecond: Readonly<Record<AccessSource, number>> = {
  postgresql: 90_000,
  mongodb: 12_000,
  parquet: 90_000,
};
/** Seconds of each repetition: programs start for the warm-up and for the read, and are removed. */
const secondsOfPlace = { process: 2, container: 4, pod: 25 };
/** The upper limit is that of a machine this many times slower, unless the timeout ends the read earlier. */
const slowest = 4;

export function repetitionSize({ settings: { access } }: AccessTrial, dataRows?: number): Partial<RepetitionSize> {
  if (!access) return {};
  const { variant, source, query, url, timeout } = access;
  const rows = dataRows ?? access.rows;
  const { place } = variantParts[variant];
  const read = query === 'one-row' ? 0 : rows / rowsPerSecond[source][pathOf(variant)];
  const durationUs = 1e6 * (read + (place ? secondsOfPlace[place] : 0));
  return {
    // The client, its programs, and the database server, unless it is user-supplied.
    processes: 1 + programsOf(variant) + (source === 'parquet' || url !== undefined ? 0 : 1),
    hops: 0,
    rateRps: undefined,
    durationUs,
    drainUs: Math.min(timeout, (slowest - 1) * durationUs),
    warmupRequests: 0,
    warmupWindowUs: 0,
    warmupMaxUs: 0,
  };
}

/** Seconds of the loads of a run: one for each table. */
export function loadSeconds(
  cells: readonly AccessTrial[],
  dataRowsOf: (cell: AccessTrial) => number | undefined,
): number {
  const loads = cells.flatMap((cell) => {
    const { access, seed } = cell.settings;
    if (!access || (access.own && access.own.dat === undefined)) return [];
    const { source, own, url, image } = access;
    const rows = dataRowsOf(cell) ?? access.rows;
    return [[JSON.stringify([source, url, image, own?.dat ?? [rows, seed]]), rows / loadedPerSecond[source]] as const];
  });
  return [...new Map(loads).values()].reduce((sum, seconds) => sum + seconds, 0);
}

function pathOf(variant: AccessVariant): Path {
  const { connector, flight } = variantParts[variant];
  if (!connector) return variant === 'native' ? 'native' : flight ? 'columnarFlight' : 'columnar';
  return flight ? 'flight' : 'connector';
}
