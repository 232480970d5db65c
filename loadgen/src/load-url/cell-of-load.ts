/**
 * The entry of `cells.json` of a load on a user-supplied server: what a client can know, without decisions and roles.
 * RTT is the gateway's own (`x-topo-rtt-us`) where the server is one; any other server's is the time from the actual send
 * to the last byte. Response times are of answered requests, refusals included. Requests that never came back (unfinished
 * or timed out) are +∞ in both.
 */
import type { Sample } from '@topo-bench/core';
import type { DriverName } from '@topo-bench/core/schema/experiment';
import type { Cell, Summary } from '@topo-bench/core/schema/result';
import type { HostUse } from '@topo-bench/host';
import { cellOfSamples } from '@topo-bench/results/cell-of-samples';
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

/** Smallest difference that matters, as a share of the median: of a load without an experiment. */
const smallestDifference = 0.05;

export function cellOfLoad({ driver, job, result, host, maxErrorShare }: UrlLoad): Cell {
  const samples = Array.from(result.samples.index, (_, row) => withClientRtt(sampleOfRow(result.samples, row)));
  const open = driver === 'open';
  return cellOfSamples({
    source: 'measured',
    factors: open ? { driver, arrivals: job.arrivals, rate: job.rateRps } : { driver, connections: job.connections },
    repetition: 1,
    load: result,
    samples,
    ...(open && { schedule: { rateRps: job.rateRps, smallestDifference } }),
    figures: {
      rtt: summaryOf(samples, ['completed'], ({ rttUs }) => rttUs),
      responseTime: summaryOf(samples, ['completed', 'refused'], ({ doneUs, intendedUs }) => doneUs && doneUs - intendedUs),
      ...(!open && { schedulerLag: summarise([]) }),
    },
    host,
    maxErrorShare,
  });
}

function withClientRtt(sample: Sample): Sample {
  const { rttUs, sentUs, doneUs } = sample;
  return rttUs !== null || sentUs === null || doneUs === null ? sample : { ...sample, rttUs: doneUs - sentUs };
}

/** A user-supplied server promises no answer: a request that was given up took longer than was waited, as one still open. */
function summaryOf(
  samples: readonly Sample[],
  outcomes: readonly Sample['outcome'][],
  valueUs: (sample: Sample) => number | null,
): Summary {
  const answered = samples.filter(({ outcome }) => outcomes.includes(outcome));
  const neverBack = samples.filter(({ outcome, error }) => outcome === 'unfinished' || error === 'timeout');
  return summarise(
    answered.map(valueUs).filter((value) => value !== null),
    neverBack.length,
  );
}
