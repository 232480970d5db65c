/** From run folders to a calibration, and from it to predictions that are judged: all verbs, on a known machine. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellKey } from '@topo-bench/core';
import { type Calibration, calibrationFile } from '@topo-bench/core/schema/calibration';
import type { Cell } from '@topo-bench/core/schema/result';
import { openRun } from '@topo-bench/results';
import { calibrateWith } from '@topo-bench/workbench/calibration';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/fixtures/small-files.ts';
import { root } from '../../../../../test/fixtures/topo-bench.ts';
import { callTopoBench } from '../../fixtures/in-process.ts';
import { measuredBySimulation } from '../../fixtures/measured-by-simulation.ts';

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);
const head = 'apiVersion: topo-bench/v1\n';
const topology = join(root, 'topologies/routing-study.yaml');
const experimentOf = (name: string, factors: string, repetitions = 1): string => {
  writeFileSync(
    path(`${name}.yaml`),
    `${head}kind: Experiment\nname: ${name}\ntopology: ${topology}\nfactors: { ${factors} }\nduration: 6s\nrepetitions: ${repetitions}\n`,
  );
  return path(`${name}.yaml`);
};
const env = { XDG_DATA_HOME: path('data') };
const call = (...args: string[]) => callTopoBench(args, { env });

/** A machine that needs twice the time for messages, and less for cold turns, than the calibration before. */
const machine = path('machine.yaml');
const assumed = readFileSync(join(root, 'calibrations/assumed-two-cores.yaml'), 'utf8');
writeFileSync(
  machine,
  assumed
    .replace('receive: { us: 60', 'receive: { us: 130')
    .replace('send: { us: 79', 'send: { us: 150')
    .replace('factor: 3.1', 'factor: 2'),
);
const [runA, calibrated] = [path('run-a'), path('calibrated.json')];
const levels = 'architecture: [none, central-entity, sidecar, dynamic-router-3], services: [3, 6], rate: [20, 90]';

describe('calibrate, simulate, predict and judge', { timeout: 300_000 }, () => {
  let fitted: Calibration;

  beforeAll(async () => {
    await measuredBySimulation({ experiment: experimentOf('a', levels), calibration: machine, out: runA });
    const { code, stdout, stderr } = await call(
      'calibrate',
      runA,
      '--held-out',
      'architecture=dynamic-router-3',
      '--out',
      calibrated,
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/error of held-out cells: median \d+% · p95 \d+% · CPU \d+% \(4 cells\)/);
    fitted = calibrationFile.parse(JSON.parse(readFileSync(calibrated, 'utf8')));
  }, 300_000);

  it('fits the machine of the runs: architectures that the fit has not seen are predicted', () => {
    const { fit } = fitted;
    expect(fit?.cells.filter(({ heldOut }) => heldOut)).toHaveLength(4);
    expect(fit?.heldOutErrors.medianPercent).toBeLessThan(12);
    expect(fit?.heldOutErrors.cpuPercent).toBeLessThan(10);
    expect(fit?.quietness.disturbed).toBe(false);
    expect(fit?.parameters.length).toBe(fit?.covariance.length);
    expect(fitted.demand.operations.receive.us + fitted.demand.operations.send.us).toBeGreaterThan(170);
  });

  it('finds the calibration of this machine, and states the error of every cell', async () => {
    mkdirSync(path('data/topo-bench/calibrations'), { recursive: true });
    copyFileSync(calibrated, path('data/topo-bench/calibrations/own.json'));
    const out = path('simulated');
    const { code, stdout, stderr } = await call(
      'simulate',
      experimentOf('s', 'architecture: [none, sidecar], services: [4], rate: [50]'),
      '--out',
      out,
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('On 4 cells that it had not seen, the same calibration missed the median by');
    expect(stdout).toContain('How far simulated figures may be off, 90% intervals');
    for (const { calibrationUncertainty: uncertainty, rtt } of (await openRun(out)).cells) {
      expect(uncertainty?.medianUs[0]).toBeLessThan(rtt.medianUs);
      expect(uncertainty?.medianUs[1]).toBeGreaterThan(rtt.medianUs);
      expect(uncertainty?.distance).toBe(0);
    }
    const far = path('far');
    await call('simulate', experimentOf('f', 'architecture: [sidecar], services: [24], rate: [20]'), '--out', far);
    const [cell] = (await openRun(far)).cells;
    expect(cell?.calibrationUncertainty?.distance).toBeGreaterThan(0.5);
    const width = ({ calibrationUncertainty: of }: Cell): number => (of?.medianUs[1] ?? 0) / (of?.medianUs[0] ?? 1);
    const near = (await openRun(out)).cells.map(width);
    expect(width(cell as Cell)).toBeGreaterThan(Math.max(...near));
  });

  it('reports the fit: cells measured and predicted, errors, parameters', async () => {
    const { code, stdout, stderr } = await call('report', calibrated);
    expect([code, stdout.trim()], stderr).toEqual([0, path('calibrated.html')]);
    const page = readFileSync(path('calibrated.html'), 'utf8');
    expect(page.match(/<svg class="box"/g)).toHaveLength(2 * 16);
    expect(page).toContain('dynamic-router-3 · 6 services · 90 req/s, 2 cores, held out');
    expect(page).toContain('operations.receive.us');
    const byHand = await call('report', machine);
    expect([byHand.code, byHand.stderr]).toEqual([2, expect.stringContaining('written by hand')]);
  });

  it('refuses a calibration of another machine, without the flag that accepts it', async () => {
    const other = path('other.json');
    writeFileSync(other, JSON.stringify({ ...fitted, fit: { ...fitted.fit, cpuModel: 'Abacus 9000' } }));
    const args = [
      'simulate',
      experimentOf('o', 'architecture: [none], services: [3], rate: [20]'),
      '--calibration',
      other,
    ];
    const refused = await call(...args, '--out', path('o-1'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('TB_CALIBRATION_MACHINE')]);
    expect(refused.stderr).toContain('Abacus 9000');
    const accepted = await call(...args, '--foreign-calibration', '--out', path('o-2'));
    expect([accepted.code, accepted.stderr]).toEqual([0, expect.stringContaining('stand for another machine')]);
    writeFileSync(other, JSON.stringify({ ...fitted, fit: { ...fitted.fit, node: '14.0.0' } }));
    expect((await call(...args, '--out', path('o-3'))).code).toBe(2);
  });

  it('fits the runs of a calibration again with more: held-out cells stay so, and a disturbed run stays out', async () => {
    const [more, noisy] = [path('more'), path('more-noisy')];
    const one = experimentOf('more', 'architecture: [sidecar], services: [9], rate: [40]');
    await measuredBySimulation({ experiment: one, calibration: machine, out: more });
    await measuredBySimulation({ experiment: one, calibration: machine, out: noisy, foreignPercent: 34 });
    const { signal } = new AbortController();
    const again = { prior: fitted, version: '1.2.3', quick: true, signal };
    const keysOf = ({ fit }: Calibration): string[] =>
      (fit?.cells ?? []).flatMap(({ heldOut, factors }) => (heldOut ? [cellKey(factors)] : [])).toSorted();
    const added = await calibrateWith(fitted, [more], again);
    expect([added.fit?.runs, added.fit?.cells.length]).toEqual([[runA, more], (fitted.fit?.cells.length ?? 0) + 1]);
    expect(keysOf(added)).toEqual(keysOf(fitted));
    await expect(calibrateWith(added, [noisy], again)).rejects.toMatchObject({
      code: 'TB_CALIBRATION_DISTURBED',
      hint: expect.stringContaining(`${noisy} --held-out architecture=dynamic-router-3 --held-out`),
    });
  });

  it('refuses runs that other programs disturbed, and marks what is kept', async () => {
    const noisy = path('noisy');
    const fewer = experimentOf('n', 'architecture: [none, sidecar], services: [3, 6], rate: [20, 90]');
    await measuredBySimulation({ experiment: fewer, calibration: machine, out: noisy, foreignPercent: 34 });
    const refused = await call('calibrate', noisy, '--out', path('noisy.json'));
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('TB_CALIBRATION_DISTURBED')]);
    expect(refused.stderr).toContain('34%');
    const kept = await call('calibrate', noisy, '--keep-disturbed', '--out', path('noisy.json'));
    expect([kept.code, kept.stdout]).toEqual([0, expect.stringContaining('disturbed')]);
    const { stdout } = await call(
      'simulate',
      path('s.yaml'),
      '--calibration',
      path('noisy.json'),
      '--out',
      path('noisy-simulated'),
    );
    expect(stdout).toMatch(/Other programs disturbed that\s+calibration/);
  });

  it('names what runs lack', async () => {
    const few = path('few');
    await measuredBySimulation({
      experiment: experimentOf('few', 'architecture: [none], services: [3], rate: [20, 30]'),
      calibration: machine,
      out: few,
    });
    const { code, stderr } = await call('calibrate', few);
    expect([code, stderr]).toEqual([2, expect.stringContaining('TB_CALIBRATION_LACKS')]);
    for (const lack of ['at least 4 cells', 'rates whose highest', 'as many hops', 'enforces rules'])
      expect(stderr).toContain(lack);
  });
});
