/**
 * The entry of `cells.json` of a load on a user-supplied server: the client's view, without decisions and roles. RTT is
 * the gateway's own (`x-topo-rtt-us`) where the server is one. For any other server it is the time from the actual send
 * to the last byte. Response times are those of answered requests, refusals included. Requests without answer
 * (unfinished or timed out) are +∞ in both.
 */
import type { Sample } from '@topo-bench/core';
import type { DriverName } from '@topo-bench/core/schema/experiment';
import type { Cell, Summary } from '@topo-bench/core/schema/result';
import type { HostUse } from '@topo-bench/host';
import { cellOfSamples } from '@topo-bench/results';
import { summarise } from '@topo-bench/stats';
import type { LoadJob } from '../load-job.ts';
import type { LoadResult } from '../load-result.ts';
import { sampleOfRow } from '../sample-of-row.ts';

export interface UrlLoad {
  driver: DriverName;
  job: LoadJob;
  result: LoadResult;
  host: HostUse | undefined;
  /** 0…1 */
  maxErrorShare: number;
}

/** Smallest difference that matters, as a share of the median; a load has no experiment that could set it. */
const smallestDifference = 0.05;
/** A larger share of requests on new connections is flagged. */
const maxShareOnNewConnections = 0.02;

/** The requests of a load, in the order of their schedule; without a gateway, their RTT is the client's. */
export function samplesOfLoad({ samples }: Pick<LoadResult, 'samples'>): Sample[] {
  return Array.from(samples.index, (_, row) => withClientRtt(sampleOfRow(samples, row)));
}

export function cellOfLoad({ driver, job, result, host, maxErrorShare }: UrlLoad): Cell {
  const samples = samplesOfLoad(result);
  const open = driver === 'open';
  return cellOfSamples({
    source: 'measured',
    factors: open ? { driver, arrivals: job.arrivals, rate: rateLevel(job) } : { driver, connections: job.connections },
    repetition: 1,
    load: result,
    samples,
    ...(open && { schedule: { rateRps: meanRps(job), smallestDifference } }),
    figures: {
      rtt: summaryOf(samples, ['completed'], ({ rttUs }) => rttUs),
      responseTime: summaryOf(
        samples,
        ['completed', 'refused'],
        ({ doneUs, intendedUs }) => doneUs && doneUs - intendedUs,
      ),
      ...(!open && { schedulerLag: summarise([]) }),
    },
    host,
    maxErrorShare,
    findings: { flags: onNewConnections(result) ? ['new-connections'] : [] },
  });
}

/** Whether the handshakes of new connections are in the times of so many requests that they are part of the figures. */
function onNewConnections({ connections, sent }: Pick<LoadResult, 'connections' | 'sent'>): boolean {
  return connections !== undefined && connections.onDemand > maxShareOnNewConnections * sent;
}

/** `100..1000` for a ramp. */
function rateLevel({ rateRps, rampToRps }: LoadJob): number | string {
  return rampToRps === undefined ? rateRps : `${rateRps}..${rampToRps}`;
}

function meanRps({ rateRps, rampToRps = rateRps }: LoadJob): number {
  return (rateRps + rampToRps) / 2;
}

function withClientRtt(sample: Sample): Sample {
  const { rttUs, sentUs, doneUs } = sample;
  return rttUs !== null || sentUs === null || doneUs === null ? sample : { ...sample, rttUs: doneUs - sentUs };
}

/** Summary of the answered requests. The others, timed out or in flight, took longer than the wait: +∞. */
function summaryOf(
  samples: readonly Sample[],
  outcomes: readonly Sample['outcome'][],
  valueUs: (sample: Sample) => number | null,
): Summary {
  const answered = samples.filter(({ outcome }) => outcomes.includes(outcome));
  const unanswered = samples.filter(({ outcome, error }) => outcome === 'unfinished' || error === 'timeout');
  return summarise(
    answered.map(valueUs).filter((value) => value !== null),
    unanswered.length,
  );
}
