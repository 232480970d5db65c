/** The entry of `cells.json` that a load on a user's own server gives: what a client can know, without decisions and roles. */
import type { DriverName } from '@topo-bench/core/schema/experiment';
import type { Cell } from '@topo-bench/core/schema/result';
import { type HostUse, hostResources } from '@topo-bench/host';
import { summarise } from '@topo-bench/stats';
import { errorKinds } from '../error-kind.ts';
import { generatorUse } from '../generator-use.ts';
import type { LoadJob } from '../load-job.ts';
import type { LoadResult } from '../load-result.ts';
import { outcomeOf, responseTimeUs, type Samples, schedulerLagsUs } from '../samples.ts';
import { scheduleAdherence } from '../schedule-adherence.ts';
import { limits, validityOf } from '../validity.ts';

export interface LoadFacts {
  driver: DriverName;
  job: LoadJob;
  result: LoadResult;
  host: HostUse | undefined;
  /** 0…1 */
  maxErrorShare: number;
}

/**
 * RTT is the gateway's own (`x-topo-rtt-us`) where the server is one; any other server's is the time from the actual send to the
 * last byte. Response times and RTTs are of answered requests; errors are counted by kind, and requests that never came back
 * (unfinished or timed out) are +∞.
 */
export function cellOfLoad({ driver, job, result, host, maxErrorShare }: LoadFacts): Cell {
  const { samples, durationUs, sent, unfinished, inFlight, generators } = result;
  const rows = Array.from(samples.index, (_, row) => row);
  const outcomes = { completed: 0, refused: 0, error: 0, unfinished: 0 };
  for (const row of rows) outcomes[outcomeOf(samples, row)]++;
  const completed = rows.filter((row) => outcomeOf(samples, row) === 'completed');
  const refused = rows.filter((row) => outcomeOf(samples, row) === 'refused');
  const neverBack = unfinished + rows.filter((row) => errorOf(samples, row) === 'timeout').length;
  const rtt = summarise(rttsUs(samples, completed), neverBack);
  const achievedRps = (sent * 1e6) / durationUs;
  const open = driver === 'open';
  const schedulerLag = summarise(open ? schedulerLagsUs(samples) : []);
  const errors = countErrors(samples, rows);
  return {
    factors: open ? { driver, arrivals: job.arrivals, rate: job.rateRps } : { driver, connections: job.connections },
    repetition: 1,
    source: 'measured',
    startedAt: result.startedAt.toISOString(),
    offeredRps: open ? job.rateRps : achievedRps,
    achievedRps,
    rtt,
    rttRefused: summarise(rttsUs(samples, refused)),
    responseTime: summarise(
      [...completed, ...refused].map((row) => responseTimeUs(samples, row)),
      neverBack,
    ),
    schedulerLag,
    errors,
    unfinished,
    decisions: { allow: 0, deny: 0, redact: 0, reroute: 0, wrong: 0, byRule: {} },
    outcomes,
    exposureBytes: {},
    hops: { perRequest: 0, betweenNodesPerRequest: 0 },
    cpuUsPerRequest: {},
    resources: {
      generator: generatorUse(result),
      ...hostResources(host),
    },
    generator: result.granted,
    validity: validityOf({
      ...(open && {
        schedule: scheduleAdherence(samples, durationUs),
        schedulerLag: { ...schedulerLag, smallestDifference: limits.smallestDifference },
        inFlight,
      }),
      medianRttUs: rtt.medianUs,
      generatorUtilizations: generators.map(({ eventLoopUtilization }) => eventLoopUtilization),
      wrongDecisions: 0,
      errors: outcomes.error,
      requests: rows.length,
      maxErrorShare,
      deadRoles: [],
      realTimePriority: result.granted.realTimePriority,
      ...(host && { host }),
      unfinished,
    }),
  };
}

function rttsUs(samples: Samples, rows: readonly number[]): Float64Array {
  return Float64Array.from(rows, (row) => {
    const rttUs = samples.rttUs[row] as number;
    return Number.isNaN(rttUs) ? (samples.doneUs[row] as number) - (samples.sentUs[row] as number) : rttUs;
  });
}

/** Kind of a failed request: why no response came, or `http-<status>`. */
function errorOf(samples: Samples, row: number): string {
  const kind = errorKinds[samples.error[row] as number] ?? 'other';
  return kind === 'none' ? `http-${samples.status[row]}` : kind;
}

function countErrors(samples: Samples, rows: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) {
    if (outcomeOf(samples, row) !== 'error') continue;
    const kind = errorOf(samples, row);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
