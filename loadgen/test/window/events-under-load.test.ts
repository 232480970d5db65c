/** Events of a load window act between requests of a real load, on one clock with their times. */
import { hostClock } from '@topo-bench/host';
import type { LoadEvent } from '@topo-bench/trial';
import { expect, it } from 'vitest';
import { driverNamed } from '../../src/driver-named.ts';
import { launcherNamed } from '../../src/launcher/launchers.ts';
import { measureLoad } from '../../src/window/measure-load.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { jobFor, serve } from '../fixtures/server.ts';

const worker = builtWorker();

it('a server that an event changes answers old before the request, and new once the event has taken effect', async () => {
  let status = 200;
  const appliedUs: number[] = [];
  const url = await serve((response) => response.writeHead(status).end('{}'));
  const change = (atUs: number, next: number): LoadEvent => ({
    ...{ atUs, name: `answer ${next}` },
    async apply() {
      appliedUs.push(hostClock.nowUs());
      status = next;
    },
  });
  const job = jobFor(url, { arrivals: 'constant', rateRps: 200, durationUs: 700_000, processes: 1, keepAwake: false });
  const driver = driverNamed('open', launcherNamed('processes', { workerPath: worker.path }));
  const changes = [change(200_000, 201), change(450_000, 202)];
  const { load, events } = await measureLoad({ driver, job, events: changes });
  const [first, second] = events;
  if (first?.outcome !== 'effective' || second?.outcome !== 'effective') throw new Error(JSON.stringify(events));
  const { sentUs, doneUs, status: answers } = load.samples;
  const rows = Array.from(answers, (answer, row) => ({ answer, sentUs: sentUs[row] ?? 0, doneUs: doneUs[row] ?? 0 }));
  expect(rows).toHaveLength(140);
  for (const { answer, sentUs, doneUs } of rows) {
    if (doneUs < first.requestedUs) expect(answer).toBe(200);
    if (sentUs > first.effectiveUs && doneUs < second.requestedUs) expect(answer).toBe(201);
    if (sentUs > second.effectiveUs) expect(answer).toBe(202);
  }
  // Only one request at a time is near a change: the others are on a known side of it.
  for (const answer of [200, 201, 202]) expect(rows.filter((row) => row.answer === answer).length).toBeGreaterThan(10);
  for (const [i, record] of [first, second].entries()) {
    expect(record.requestedUs).toBeGreaterThanOrEqual(record.atUs);
    expect(record.effectiveUs).toBeGreaterThanOrEqual((appliedUs[i] ?? Number.NaN) - load.startAtUs);
  }
});
