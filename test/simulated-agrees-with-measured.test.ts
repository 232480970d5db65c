/**
 * The quickstart, measured by processes and simulated, on equal seeds: every request has the same steps, decisions,
 * outcome, hops, exposure and deliveries under all architectures. Times are another matter.
 */
import { join } from 'node:path';
import { describeCell, type Sample } from '@topo-bench/core';
import { openRun, readSamples, samplesOf } from '@topo-bench/results';
import { expect, it } from 'vitest';
import { endedByHostAlone } from './fixtures/measured-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

const folder = temporaryFolder();
const calibration = 'assumed-two-cores';
// Deadlines that a busy machine does not reach.
const patient = ['--set', 'topology.deadlines.hop=60s', '--set', 'drain=60s'];
const load = ['--set', 'rate=30', '--set', 'duration=2s', '--set', 'warmup.max=0s', ...patient];
const short = ['--repetitions', '1', '--seed', '7', ...load, '--quiet'];

/** All that does not depend on time, or on the keys of a run: fields of delivered copies instead of their digests. */
function withoutTimes({ delivered, ...sample }: Sample) {
  const { class: kind, id, outcome, rule, error, hops, hopsBetweenNodes, exposureBytes, steps } = sample;
  const fields = delivered?.copies.map((digests) => Object.keys(digests));
  const received = { services: delivered?.services, fields };
  return { kind, id, outcome, rule, error, hops, hopsBetweenNodes, exposureBytes, steps, received };
}

async function samplesByCell(out: string): Promise<Map<string, object[]>> {
  const run = await openRun(out);
  const entries = run.cells.map(async (cell) => {
    const samples = await readSamples(samplesOf(run, cell) as string);
    return [describeCell(cell.factors), samples.map(withoutTimes)] as const;
  });
  return new Map(await Promise.all(entries));
}

it('has what a measured run has, request by request', async () => {
  const [out, simulated] = [join(folder, 'measured'), join(folder, 'simulated')];
  const measured = await topoBench(['run', 'quickstart', ...short, '--set', 'validity.remeasure=0%', '--out', out]);
  endedByHostAlone(measured, (await openRun(out)).cells);
  const { code, stderr } = await topoBench([
    ...['simulate', 'quickstart', '--calibration', calibration],
    ...[...short, '--out', simulated],
  ]);
  expect(code, stderr).toBe(0);
  const [expected, found] = [await samplesByCell(out), await samplesByCell(simulated)];
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  expect(found.size).toBe(4);
  for (const [cell, samples] of expected) {
    expect(samples.length, cell).toBeGreaterThan(40);
    expect(found.get(cell), cell).toEqual(samples);
  }
});
