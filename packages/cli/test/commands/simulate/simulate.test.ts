/** `simulate` as a whole, and the three plans of a session on the backend that simulates. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calibrationFile } from '@topo-bench/core/schema/calibration';
import type { Cell, Validity } from '@topo-bench/core/schema/result';
import { openRun, readSamples, samplesOf } from '@topo-bench/results';
import { simulatedBackend } from '@topo-bench/studies/simulated-backend';
import { parseSource } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/fixtures/small-files.ts';
import { root } from '../../../../../test/fixtures/topo-bench.ts';
import { gateOn } from '../../../src/commands/gate/action.ts';
import { runOn } from '../../../src/commands/run/action.ts';
import { callTopoBench, inProcess } from '../../fixtures/in-process.ts';

const calibration = 'assumed-two-cores';
const file = join(root, `calibrations/${calibration}.yaml`);
const folder = temporaryFolder();
let runs = 0;
const newFolder = (): string => join(folder, `run-${++runs}`);
const simulate = (...args: string[]) => callTopoBench(['simulate', ...args, '--calibration', calibration]);
const oneRepetition = ['--repetitions', '1', '--set', 'duration=1s'];
const chain = join(folder, 'chain.yaml');
const head = 'apiVersion: topo-bench/v1\n';
writeFileSync(chain, `${head}kind: Topology\nname: chain\nservices: [{ generate: 2 }]\n`);
const shop = join(folder, 'shop.yaml');
writeFileSync(
  shop,
  `${head}kind: Experiment
name: shop
topology: chain.yaml
factors: { architecture: [none, sidecar] }
load: { rate: 100 }
duration: 1s
repetitions: 2
`,
);
const backend = () => {
  const source = parseSource({ text: readFileSync(file, 'utf8'), file });
  return simulatedBackend({
    calibration: { value: calibrationFile.parse(source.value), sha256: 'ab'.repeat(32) },
  });
};

describe('topo-bench simulate', () => {
  it('writes the run folder of `run`, marked as simulated everywhere, with decisions that the oracle checks', async () => {
    const out = newFolder();
    const { code, stdout, stderr } = await simulate('quickstart', ...oneRepetition, '--out', out);
    expect(code, stderr).toBe(0);
    const [progress, first] = [stderr.split('\n'), stdout.split('\n')[0]];
    expect(progress[0]).toBe(
      'note: simulated, not measured: the calibration assumed-two-cores stands for a virtual machine with Node.js 20 with 2 cores',
    );
    expect(progress.find((line) => line.includes('repetitions to'))).toMatch(/^4 repetitions to simulate, /);
    const lines = progress.filter((line) => line.startsWith('['));
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line).toContain(': simulated · RTT median');
    expect(first).toMatch(/^Simulated, not measured: /);
    expect(stdout).toContain('Round-trip time in ms, simulated,');
    expect(stdout).not.toContain('Lowest median measured');
    const page = readFileSync(join(out, 'report.html'), 'utf8');
    expect(page).toContain('Simulated, not measured: figures marked so were computed by a model of a virtual machine');
    const { record, cells } = await openRun(out);
    expect(record.simulation).toMatchObject({ calibration, cores: 2, assumed: true });
    expect(record.simulation?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(cells.map(({ source }) => source)).toEqual(Array(4).fill('simulated'));
    for (const { decisions, outcomes, validity, cpuUsPerRequest } of cells) {
      expect([decisions.wrong, outcomes.error, validity.valid]).toEqual([0, 0, true]);
      expect(cpuUsPerRequest.total).toBeGreaterThan(1000);
    }
    expect(cells.reduce((sum, { decisions }) => sum + decisions.deny, 0)).toBeGreaterThan(10);
  });

  it('draws the same figures for the same seed, and others for another', async () => {
    const samples = async (...args: string[]) => {
      const out = newFolder();
      await simulate(shop, ...oneRepetition, '--json', '--out', out, ...args);
      const run = await openRun(out);
      return Promise.all(run.cells.map((cell) => readSamples(samplesOf(run, cell) as string)));
    };
    const first = await samples();
    expect(first.map(({ length }) => length > 70)).toEqual([true, true]);
    expect(await samples()).toEqual(first);
    expect(await samples('--seed', '2')).not.toEqual(first);
  });

  it('bears what this machine cannot: 150 services', async () => {
    const { code, stdout } = await simulate(
      ...[shop, ...oneRepetition, '--only', 'architecture=sidecar', '--set', 'services=150', '--json'],
      ...['--set', 'rate=30', '--set', 'duration=300ms', '--out', newFolder()],
    );
    const [cell] = JSON.parse(stdout).cells;
    expect([code, cell.source, cell.hops.perRequest]).toEqual([0, 'simulated', 301]);
  });

  it.each([
    ['persistence-small', [], 'a study of kind store'],
    ['data-access-small', [], 'a study of kind access'],
    [shop, ['--set', 'load.driver=autocannon'], 'the driver autocannon'],
    [shop, ['--set', 'topology.enforcement.limits.cpus=0.5'], 'limits of the process svc-1-sidecar'],
  ])('refuses by name what cannot be simulated: %s %j', async (experiment, args, what) => {
    const { code, stderr } = await simulate(experiment, ...args, '--out', newFolder());
    expect(code).toBe(2);
    expect(stderr).toContain(`TB_SIMULATE_UNSUPPORTED: ${what} cannot be simulated`);
    expect(stderr).toContain('topo-bench run');
  });

  it('performs crashes, freezes, slow roles and partitions, with the classes and records of a measured run', async () => {
    const out = newFolder();
    const events = '1s crash svc-1 restart 1s; 3s freeze svc-2 for 500ms; 4s partition gateway and svc-1 for 500ms';
    const { code, stdout, stderr } = await simulate(
      ...[shop, '--repetitions', '1', '--only', 'architecture=none', '--set', 'duration=6s', '--out', out],
      ...['--set', `events=${events}`, '--set', 'topology.deadlines.hop=300ms', '--set', 'validity.maxErrorShare=100%'],
    );
    expect(code, stderr).toBe(0);
    const [cell] = (await openRun(out)).cells;
    expect(cell?.events?.map(({ kind, begin, end }) => [kind, begin.effectiveUs, end?.effectiveUs])).toEqual([
      ['crash', 1e6, 2e6],
      ['freeze', 3e6, 3.5e6],
      ['partition', 4e6, 4.5e6],
    ]);
    const [crash, freeze, partition] = cell?.events ?? [];
    // About 100 requests a second find the service down; half a second of them waits longer than the deadline.
    expect(crash?.effects?.failed).toBeGreaterThan(70);
    expect(cell?.errors['unreachable:svc-1']).toBeGreaterThan(70);
    expect(crash?.effects?.recoveredUs).toBeLessThan(2.1e6);
    for (const event of [freeze, partition]) {
      const { lost = 0, failed = 0, late = 0 } = event?.effects ?? {};
      expect(lost + failed + late, event?.name).toBeGreaterThan(5);
    }
    const { classes } = cell as Cell;
    const { scheduled, answered, refused, lost, late, failed } = classes as NonNullable<Cell['classes']>;
    expect(answered + refused + lost + late + failed).toBe(scheduled);
    expect(stdout).toContain('crash svc-1');
  });

  it('performs changes of rules and a crash of the gateway, with stale and torn requests as a measured run', async () => {
    const out = newFolder();
    const { code, stderr } = await simulate(
      ...['rule-change', '--only', 'architecture=central-entity', '--only', 'enforcement.distribution=poll 500ms'],
      ...['--set', 'rate=60', '--out', out],
    );
    expect(code, stderr).toBe(0);
    const { cells } = await openRun(out);
    const [eventual, versioned] = ['eventual', 'versioned'].map((level) =>
      cells.find(({ factors }) => factors['enforcement.consistency'] === level),
    );
    for (const { events = [], classes, validity, decisions } of cells) {
      expect(events.map(({ kind }) => kind)).toEqual(Array(5).fill('rules'));
      for (const { begin } of events) expect(begin.effectiveUs).toBeGreaterThan(begin.atUs);
      const { scheduled = 0, lostAt: _, failedBy: __, ...each } = classes as NonNullable<Cell['classes']>;
      expect(Object.values(each).reduce((sum, count) => sum + count, 0)).toBe(scheduled);
      expect([validity.valid, decisions.wrong]).toEqual([true, 0]);
    }
    expect(eventual?.staleness?.sinceAsked.decisions).toBeGreaterThan(10);
    expect(versioned?.staleness).toMatchObject({ torn: 0, sinceAsked: { decisions: 0 } });

    const crashed = newFolder();
    await simulate(
      ...[shop, '--repetitions', '1', '--only', 'architecture=none', '--set', 'duration=3s', '--out', crashed],
      ...['--set', 'events=1s crash gateway restart 500ms', '--set', 'validity.maxErrorShare=100%'],
    );
    const [cell] = (await openRun(crashed)).cells;
    // Half a second of 100 requests finds no gateway, and those that wait lose their connections.
    expect(cell?.errors['connection-refused']).toBeGreaterThan(35);
    expect(cell?.events?.[0]?.effects?.failed).toBe(cell?.errors['connection-refused']);
    expect(cell?.classes?.lost).toBe(cell?.errors['connection-reset'] ?? 0);
  });

  it('refuses a calibration that is absent, and reports all problems of a wrong one at their places', async () => {
    const without = await callTopoBench(['simulate', shop], { env: { XDG_DATA_HOME: folder } });
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('TB_CALIBRATION_NONE')]);
    expect(without.stderr).toContain('topo-bench calibrate');
    const absent = await callTopoBench(['simulate', shop, '--calibration', join(folder, 'none.json')]);
    expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining('TB_FILE_NOT_FOUND')]);
    const wrong = join(folder, 'wrong.json');
    const text = readFileSync(file, 'utf8').replace('stay: 0.33', 'stay: 3').replace('us: 27', 'us: -1');
    writeFileSync(wrong, text);
    const { code, stderr } = await callTopoBench(['simulate', shop, '--calibration', wrong]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/wrong\.json:\d+:\d+: .*wake\.us/);
    expect(stderr).toMatch(/wrong\.json:\d+:\d+: .*scheduling\.stay/);
  });

  it('finds overload however large: of a generator, of the host, of the cap in flight and of one process', async () => {
    const manyCores = join(folder, 'many-cores.yaml');
    writeFileSync(manyCores, readFileSync(file, 'utf8').replace('cores: 2', 'cores: 16'));
    const validityOn = async (model: string, set: string[]) => {
      const out = newFolder();
      const args = [...set.flatMap((one) => ['--set', one]), '--only', 'architecture=none', '--repetitions', '1'];
      const { code, stderr } = await callTopoBench(['simulate', shop, ...args, '--calibration', model, '--out', out]);
      expect([0, 5], stderr).toContain(code);
      return (await openRun(out)).cells[0]?.validity as Validity;
    };
    const validityOf = (...set: string[]) => validityOn(calibration, set);
    const kinds = ({ why = [] }: Validity) => why.map(({ kind }) => kind);
    for (const rate of [2000, 2400]) {
      const validity = await validityOn(manyCores, [`rate=${rate}`, 'duration=2s']);
      expect(kinds(validity), String(rate)).toContain('generator-bound');
    }
    const patient = ['drain=1m', 'topology.deadlines.hop=2m', 'topology.deadlines.request=2m'];
    for (const work of ['16ms', '24ms', '60ms']) {
      const { flags } = await validityOf(`topology.defaults.work=${work}`, ...patient);
      expect(flags, work).toContain('host-saturated');
    }
    const capped = ['rate=200', 'load.inFlightCap=1', 'validity.maxErrorShare=90%'];
    expect(kinds(await validityOf(...capped))).toContain('in-flight-cap');
    // One turn lasts longer than load and drain together.
    expect((await validityOf('rate=5', 'drain=1s', 'topology.defaults.work=5s')).flags).toContain('host-saturated');
  });

  it('refuses factors without an effect in a simulation, and more requests than fit into memory', async () => {
    const levels = join(folder, 'frameworks.yaml');
    writeFileSync(levels, readFileSync(shop, 'utf8').replace('[none, sidecar]', '[none], framework: [node, express]'));
    const framework = await simulate(levels, '--out', newFolder());
    expect([framework.code, framework.stderr]).toEqual([
      2,
      expect.stringContaining('the factor framework has no effect'),
    ]);
    const many = await simulate(shop, '--set', 'rate=1000', '--set', 'duration=20m', '--out', newFolder());
    expect([many.code, many.stderr]).toEqual([2, expect.stringContaining('expected at most 500000')]);
  });

  it('names simulated figures in a gate on bounds too', async () => {
    const out = newFolder();
    await simulate(shop, ...oneRepetition, '--out', out);
    const { code, stdout } = await callTopoBench(['gate', '--candidate', out, '--threshold', 'rtt.median < 1s']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('simulated, not measured')]);
  });

  it('reads a calibration that `validate` can check', async () => {
    const { code, stdout } = await callTopoBench(['validate', file]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 file checked: 0 errors')]);
  });

  it('leaves a run that `run` cannot continue by measuring', async () => {
    const out = newFolder();
    await simulate(shop, ...oneRepetition, '--out', out);
    const { code, stderr } = await callTopoBench(['run', '--resume', out, '--repetitions', '2']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('TB_RUN_FOLDER_DIFFERENT_EXPERIMENT')]);
    expect(stderr).toContain('simulation');
  });
});

describe('the plans of a session, simulated', () => {
  it('rounds and a search for the max rate', async () => {
    const out = newFolder();
    const only = [['architecture', 'none']] as [string, string][];
    const flags = {
      out,
      findMax: 'p95<20ms',
      repetitions: 2,
      only,
      set: [['duration', '300ms']] as [string, string][],
    };
    const { code, stdout, stderr } = await inProcess(() => runOn(backend(), shop, flags));
    expect(code, stderr).toBe(0);
    const { record, cells } = await openRun(out);
    expect(record.search?.probes.length).toBeGreaterThan(4);
    expect(cells.every(({ source }) => source === 'simulated')).toBe(true);
    expect(stdout).toContain('Simulated, not measured');
  });

  it('pairs until a verdict', async () => {
    const out = newFolder();
    const { code, stdout, stderr } = await inProcess(() =>
      gateOn(backend(), {
        ...{ experiment: shop, baselineRef: folder, candidateRef: folder, threshold: ['rtt.median < +50%'] },
        ...{ maxTime: 60e6, out, candidateSet: [['topology.defaults.work', '2ms']], only: [['architecture', 'none']] },
        set: [['duration', '500ms']],
      }),
    );
    expect([code, stdout], stderr).toEqual([1, expect.stringContaining('failed')]);
    expect(stdout).toContain('simulated');
    for (const side of ['baseline', 'candidate']) {
      const { record, cells } = await openRun(join(out, side));
      expect([record.simulation?.calibration, record.status]).toEqual([calibration, 'finished']);
      expect(cells.every(({ source }) => source === 'simulated')).toBe(true);
    }
  });
});
