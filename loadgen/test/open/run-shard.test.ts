import { scheduleUs } from '@topo-bench/workload';
import { expect, it } from 'vitest';
import { keepTurning, lateInMillisecond } from '../../../packages/host/test/fixtures/late-in-millisecond.ts';
import type { LoadJob } from '../../src/load-job.ts';
import { prepareShard } from '../../src/open/run-shard.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { jobFor, serve } from '../fixtures/server.ts';

const worker = builtWorker();

it('sends a request due in the last fraction of a millisecond, long after all others were answered', async () => {
  const url = await serve((response) => response.end('{}'));
  const jobs = Array.from({ length: 10_000 }, (_, seed) => jobFor(url, { rateRps: 50, durationUs: 100_000, seed }));
  const job = jobs.find((candidate) => {
    const [before = 0, last = 0] = scheduleUs(candidate).slice(-2);
    return last > 99_700 && before < 80_000;
  });
  keepTurning();
  // What a start costs, and so when the timer for the end is set, is not known exactly.
  for (const phaseUs of [300, 500, 700]) {
    const prepared = await prepareShard(job as LoadJob, { part: 0, parts: 1 }, worker.path);
    const { samples } = await prepared.run(lateInMillisecond(phaseUs), () => undefined);
    expect(samples.sentUs.length).toBeGreaterThan(1);
    expect([...samples.sentUs].filter(Number.isNaN)).toEqual([]);
  }
});
