/** `run --find-max` with real processes, on a server of known capacity: it serves the first requests of each load. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sustainedRates } from '@topo-bench/results';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openRun } from './fixtures/open-run.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

/** Requests that are answered without an error: 60 per second for half a second, on any machine. */
const capacity = 30;

it('a search for the max rate confirms the capacity of a server between two rates', async () => {
  const server = createServer((request, response) => {
    const index = Number(String(request.headers['x-request-id']).split('-').at(-1));
    response.statusCode = index < capacity ? 200 : 503;
    request.resume().on('end', () => response.end('{}'));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const folder = temporaryFolder();
  writeSmallFiles(folder, (name, text) => {
    if (name === 'experiment.yaml') {
      return text.replace('[central-entity, sidecar]', '[none]').replace('rate: 40', 'rate: 40, arrivals: constant');
    }
    return text.replace(/^services: .*$/m, `services: [{ name: orders, url: "${url}" }]`).replace(/^rules: .*\n/m, '');
  });
  // All that the machine does to a load is in time: a bound of 20 s leaves the errors as the only limit.
  const args = ['run', 'experiment.yaml', '--find-max', 'p95<20s', '--max-time', '150s', '--out', 'found'];
  const { code, stdout, stderr } = await topoBench(args, { cwd: folder });
  // Each repetition at the higher rate has errors, so none of them is valid.
  expect(code, stderr).toBe(5);
  const { record, cells } = await openRun(join(folder, 'found'));
  expect(record.status).toBe('finished');
  const { condition, probes } = record.search ?? expect.fail('the run records no search');
  expect(condition).toMatchObject({ text: 'p95<20s', boundUs: 20_000_000 });
  for (const { factors, met } of probes)
    expect([factors.rate, met]).toEqual([factors.rate, Number(factors.rate) <= 60]);
  // Where a busy machine delays each load, no rate is confirmed. The search itself has tests of its own.
  if (cells.some(({ factors, validity }) => Number(factors.rate) <= 60 && !validity.valid)) return;
  const [line] = sustainedRates(condition, record.plannedCells, cells);
  const { lowRps = 0, highRps = 0 } = line ?? {};
  expect(lowRps).toBeLessThanOrEqual(60);
  expect(highRps).toBeGreaterThan(60);
  expect(highRps / lowRps).toBeLessThan(1.25);
  // One line of progress for each probe, then the answer.
  const lines = stderr.split('\n').filter((text) => /none .*p95 /.test(text));
  expect(lines.length, stderr).toBeGreaterThanOrEqual(probes.length);
  expect(stdout).toMatch(/^With 1 service, none meets p95<20s (at|up to|no longer at) /);
  const again = await topoBench(['report', 'found', '--format', 'table'], { cwd: folder });
  expect(again.stdout.split('\n')[0]).toBe(stdout.split('\n')[0]);
});
