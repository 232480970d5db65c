/** `run --find-max` with real processes: which loads it tried, how it judged them, and the sentence at the end. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRun } from '@topo-bench/results';
import { expect, it, vi } from 'vitest';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

/** One process that computes 10 ms for each request: it bears fewer than 100 requests per second on any machine. */
const topology = `apiVersion: topo-bench/v1
kind: Topology
name: one
services: [{ name: orders }]
defaults: { work: 10ms }
`;

it('a search for the max rate ends with a sentence on what was found or is missing', async () => {
  const folder = temporaryFolder();
  writeSmallFiles(folder, (name, text) =>
    name === 'experiment.yaml' ? text.replace('[central-entity, sidecar]', '[none]').replace('40', '20') : text,
  );
  writeFileSync(join(folder, 'topology.yaml'), topology);
  const args = ['run', 'experiment.yaml', '--find-max', 'p95<100ms', '--max-time', '20s', '--out', 'found'];
  const { code, stdout, stderr } = await topoBench(args, { cwd: folder });
  // The machine decides which rate is confirmed, and whether in time.
  expect([0, 5], stderr).toContain(code);
  const { record, cells } = await openRun(join(folder, 'found'));
  expect(record.status).toBe('finished');
  const { condition, probes } = record.search ?? { probes: [] };
  expect(condition).toMatchObject({ text: 'p95<100ms', boundUs: 100_000 });
  expect(probes.length).toBeGreaterThan(0);
  expect(probes.filter(({ valueUs, met }) => met && !(Number(valueUs) < 100_000))).toEqual([]);
  const rates = probes.map(({ factors }) => Number(factors.rate));
  const met = probes.filter((probe) => probe.met).map(({ factors }) => Number(factors.rate));
  // In the half second of a probe, a queue of 200 ms grows at 140 req/s.
  expect(Math.max(0, ...met)).toBeLessThan(140);
  // A search that ran out of time may have ended before a rate failed.
  expect(Math.max(...rates)).toBeGreaterThan(code === 0 ? Math.max(0, ...met) : 0);
  for (const { factors } of cells) expect(rates).toContain(Number(factors.rate));
  // One line of progress for each probe, then the answer.
  const lines = stderr
    .split('\n')
    .filter((line) => /none .*p95 /.test(line) && /\b(meets|fails|met)\b|<100ms/.test(line));
  expect(lines.length, stderr).toBeGreaterThanOrEqual(probes.length);
  expect(stdout).toMatch(
    /^(With 1 service, (none meets p95<100ms (at [\d.]+ req\/s|no longer at)|the rate up to which none meets p95<100ms is not shown)|No rate is confirmed yet: the search for the max rate with p95<100ms has not ended)/,
  );
  const again = await topoBench(['report', 'found', '--format', 'table'], { cwd: folder });
  expect(again.stdout.split('\n')[0]).toBe(stdout.split('\n')[0]);
});
