/** Estimates the time of a read from rates of a typical machine with two cores; the error is a factor of two. */
import type { AccessVariant } from '@topo-bench/core/schema/access';
import type { ExperimentCell, RepetitionSize } from '@topo-bench/experiment';
import { programsOf, variantParts } from './variants.ts';

const rowsPerSecond: Readonly<Record<'native' | 'connector' | 'flight' | 'columnar' | 'columnarFlight', number>> = {
  native: 120_000,
  connector: 60_000,
  flight: 50_000,
  columnar: 300_000,
  columnarFlight: 220_000,
};
/** Seconds of each repetition: programs start for the warm-up and for the read, and are removed. */
const secondsOfPlace = { process: 2, container: 4, pod: 25 };
/** The upper limit is that of a machine this many times slower, unless the timeout ends the read earlier. */
const slowest = 4;

export function repetitionSize({ settings: { access }, dataRows }: ExperimentCell): Partial<RepetitionSize> {
  if (!access) return {};
  const { variant, source, query, url, timeout } = access;
  const rows = dataRows ?? access.rows;
  const { place } = variantParts[variant];
  const read = query === 'one-row' ? 0 : rows / rowsPerSecond[kindOf(variant)];
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

function kindOf(variant: AccessVariant): keyof typeof rowsPerSecond {
  const { connector, flight } = variantParts[variant];
  if (!connector) return variant === 'native' ? 'native' : flight ? 'columnarFlight' : 'columnar';
  return flight ? 'flight' : 'connector';
}
