/** A rate and a number of generated rules as factors, from the file to the page, with real processes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { asOnQuietMachine, endedByHostAlone } from './fixtures/measured-run.ts';
import { openRun } from './fixtures/open-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: small
services: [{ generate: 2 }]
enforcement: { architecture: central-entity, engine: json-rules-engine }
`;

const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: small
topology: topology.yaml
factors: { rate: [40, 80], rulesPerService: [0, 5] }
repetitions: 1
deploy: round
duration: 500ms
drain: 5s
warmup: { max: 0s }
validity: { remeasure: 0% }
`;

it('is measured, checked by the oracle, and shown over both factors', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'topology.yaml'), topology);
  writeFileSync(join(folder, 'experiment.yaml'), experiment);
  const { code, stderr } = await topoBench(['run', join(folder, 'experiment.yaml'), '--out', join(folder, 'run')]);

  const { cells } = await openRun(join(folder, 'run'));
  expect(cells).toHaveLength(4);
  endedByHostAlone({ code, stderr }, cells);
  for (const { factors, decisions, outcomes } of cells) {
    expect(decisions.wrong).toBe(0);
    expect(outcomes.refused + outcomes.error).toBe(0);
    // One of five rules matches at each step, and is the rule that allows it.
    const byRule = Object.values(decisions.byRule).reduce((sum, count) => sum + count, 0);
    expect(byRule).toBe(factors.rulesPerService === 5 ? decisions.allow : 0);
  }
  // A level without a valid repetition is no point of a line, and one point is no line.
  asOnQuietMachine(join(folder, 'run', 'cells.json'));
  const reported = await callTopoBench(['report', join(folder, 'run')]);
  expect(reported.code, reported.stderr).toBe(0);
  const page = readFileSync(join(folder, 'run', 'report.html'), 'utf8');
  expect(page).toContain('id="trend-rate"');
  expect(page).toContain('id="trend-rulesPerService"');
});
