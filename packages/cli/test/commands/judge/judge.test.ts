/** `predict`, then a run, then `judge`: on a machine with a known calibration. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { predictionsFile } from '@topo-bench/core/schema/predictions';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/fixtures/small-files.ts';
import { root } from '../../../../../test/fixtures/topo-bench.ts';
import { registerPredictions } from '../../../src/predictions-file.ts';
import { callTopoBench } from '../../fixtures/in-process.ts';
import { measuredBySimulation } from '../../fixtures/measured-by-simulation.ts';

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);
const experiment = path('shop.yaml');
const machine = 'assumed-two-cores';
writeFileSync(
  experiment,
  `apiVersion: topo-bench/v1
kind: Experiment
name: shop
topology: ${join(root, 'topologies/routing-study.yaml')}
factors: { architecture: [none, sidecar], services: [3], rate: [40] }
duration: 3s
repetitions: 3
`,
);
const [register, run] = [path('predictions.json'), path('run')];
const judge = (...args: string[]) => callTopoBench(['judge', ...args]);

describe('judge', () => {
  beforeAll(async () => {
    const args = ['predict', experiment, '--calibration', machine, '--register', register, '--quiet'];
    const { code, stdout, stderr } = await callTopoBench(args);
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining('2 predictions registered')]);
    expect(stdout).toContain('2 cells without a statement on p99: a repetition completes fewer than 1000 requests, or');
    await measuredBySimulation({ experiment, calibration: machine, out: run });
  });

  it('states predicted, measured and error of every cell, the floor of the same cells, and the order', async () => {
    const { code, stdout, stderr } = await judge(register, run);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/median: [\d.]+ ms predicted, [\d.]+ ms measured: \+0%, floor \d+%/);
    expect(stdout).toContain('right in 1 of 1 pair without overlap');
    expect(stdout).toContain('2 cells without p99: it needs a repetition with 1000 completed');
    const { judgement } = JSON.parse((await judge(register, run, '--json')).stdout);
    for (const { values } of judgement.cells) expect(values.medianUs.error).toBe(0);
    expect(judgement.summaries.medianUs.floor[0]).toBeGreaterThan(0.001);
  });

  it('judges what was predicted for other machines, and names them', async () => {
    const [cluster, there] = [path('one.json'), path('one-core.json')];
    const nodes = ['node-1', 'node-2', 'node-3', 'node-4'];
    const hosts = [{ name: 'machine', cores: 1, speed: 1, nodes }];
    writeFileSync(cluster, JSON.stringify({ apiVersion: 'topo-bench/v1', kind: 'Cluster', name: 'one-core', hosts }));
    const args = ['predict', experiment, '--calibration', machine, '--cluster', cluster, '--register', there];
    const { code, stderr } = await callTopoBench([...args, '--quiet']);
    expect(code, stderr).toBe(0);
    const [two, one] = [register, there].map((file) => predictionsFile.parse(JSON.parse(readFileSync(file, 'utf8'))));
    expect([two?.cluster, one?.cluster?.name]).toEqual([undefined, 'one-core']);
    for (const [i, { busyShare }] of (one?.cells ?? []).entries())
      expect(busyShare / (two?.cells[i]?.busyShare ?? Number.NaN)).toBeGreaterThan(1.6);
    const later = path('later');
    await measuredBySimulation({ experiment, calibration: machine, out: later });
    const judged = await judge(there, later);
    expect(judged.stdout).toContain('for the machines of one-core');
    expect(judged.stderr).toContain('note: other machines: predicted for 1 core of ');
    const old = path('old.json');
    const { sha256: _, ...document } = predictionsFile.parse(JSON.parse(readFileSync(register, 'utf8')));
    const cells = document.cells.map(({ predicted: { p99Us: _, ...predicted }, ...cell }) => ({ ...cell, predicted }));
    await registerPredictions(old, { ...document, cells });
    expect((await judge(old, later)).stdout).toContain('2 cells without p99: registered before p99 was');
  });

  it('refuses a run that began before the predictions, of other inputs, or simulated', async () => {
    const before = path('before');
    await measuredBySimulation({
      experiment,
      calibration: machine,
      out: before,
      startedAt: '2020-01-31T09:30:00.000Z',
    });
    const early = await judge(register, before);
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('TB_PREDICTIONS_UNFIT')]);
    expect(early.stderr).toContain('began before');
    const other = path('other');
    await measuredBySimulation({ experiment, calibration: machine, out: other, seed: 2 });
    const unlike = await judge(register, other);
    expect([unlike.code, unlike.stderr]).toEqual([2, expect.stringContaining('other inputs')]);
    const simulated = path('simulated');
    await callTopoBench(['simulate', experiment, '--calibration', machine, '--out', simulated]);
    const same = await judge(register, simulated);
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('is simulated')]);
  });

  it('refuses predictions that were changed, and never replaces registered ones', async () => {
    const document = predictionsFile.parse(JSON.parse(readFileSync(register, 'utf8')));
    const changed = path('changed.json');
    const [first, ...others] = document.cells;
    const better = { ...first, predicted: { ...first?.predicted, medianUs: 4200 } };
    writeFileSync(changed, JSON.stringify({ ...document, cells: [better, ...others] }));
    const { code, stderr } = await judge(changed, run);
    expect([code, stderr]).toEqual([2, expect.stringContaining('was changed after it was registered')]);
    const again = await callTopoBench(['predict', experiment, '--calibration', machine, '--register', register]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('TB_FILE_EXISTS')]);
    expect(again.stderr).not.toContain('simulating');
  });

  it('judges no repetition that other programs disturbed, without the flag that keeps them', async () => {
    const noisy = path('noisy');
    await measuredBySimulation({ experiment, calibration: machine, out: noisy, foreignPercent: 40 });
    const refused = await judge(register, noisy);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('disturbed all 6')]);
    const kept = await judge(register, noisy, '--keep-disturbed');
    expect([kept.code, kept.stderr]).toEqual([0, expect.stringContaining('judged all the same')]);
  });
});
