/** `run` and `gate` as a whole on a backend in memory: rounds, turns, resume, search and pairs, without a process. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { openRun } from '@topo-bench/results';
import type { ExperimentCell, JointOptions } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/fixtures/small-files.ts';
import { type FakeOptions, fakeBackend } from '../../../experiment/test/fixtures/fake-backend.ts';
import { gateOn } from '../../src/commands/gate/action.ts';
import type { GateFlags } from '../../src/commands/gate/options.ts';
import { runOn } from '../../src/commands/run/action.ts';
import type { RunFlags } from '../../src/commands/run/options.ts';
import { inProcess } from '../fixtures/in-process.ts';

const folder = temporaryFolder();
const file = join(folder, 'shop.yaml');
const head = 'apiVersion: topo-bench/v1\n';
writeFileSync(join(folder, 'chain.yaml'), `${head}kind: Topology\nname: chain\nservices: [{ generate: 2 }]\n`);
writeFileSync(
  file,
  `${head}kind: Experiment
name: shop
topology: chain.yaml
factors: { architecture: [central-entity, sidecar] }
load: { rate: 10 }
repetitions: 3
`,
);
let runs = 0;
const newFolder = (): string => join(folder, `run-${++runs}`);

async function run(flags: RunFlags, options: FakeOptions = {}) {
  const fake = fakeBackend({ timesUs: () => [10_000, 11_000, 12_000], ...options });
  const ended = await inProcess(() => runOn(fake.backend, flags.resume === undefined ? file : undefined, flags));
  return { ...ended, ...fake };
}

const measured = (log: readonly string[]): string[] => log.filter((line) => line.startsWith('measure'));

describe('run', () => {
  it.each(['fresh', 'round', 'interleaved'])('with `deploy: %s` measures and reports every cell', async (deploy) => {
    const out = newFolder();
    const { code, stdout, openBeds, timesClosed } = await run({ out, set: [['deploy', deploy]] });
    expect(code).toBe(0);
    expect(stdout).toContain(`report:     ${join(out, 'report.html')}`);
    expect([openBeds(), timesClosed()]).toEqual([0, 1]);
    const { record, cells } = await openRun(out);
    expect([record.status, cells.length]).toEqual(['finished', 6]);
  });

  it('when interrupted exits with 130 and the way to resume, and measures the rest then', async () => {
    const out = newFolder();
    let loads = 0;
    const onMeasure = () => ++loads === 4 && process.emit('SIGINT');
    const first = await run({ out }, { onMeasure });
    expect([first.code, first.openBeds()]).toEqual([130, 0]);
    expect(first.stderr).toContain(`topo-bench run --resume ${out}`);
    const second = await run({ resume: out });
    expect([second.code, measured(first.log).length, measured(second.log).length]).toEqual([0, 3, 3]);
  });

  it('adds repetitions to a finished run, and reports their number', async () => {
    const out = newFolder();
    await run({ out, repetitions: 1 });
    const { cells: before } = await openRun(out);
    const planned = async (flags: RunFlags): Promise<{ estimatedSeconds: number; openRepetitions?: number }> =>
      JSON.parse((await run({ ...flags, dryRun: true, probe: false, json: true })).stdout);
    // Two cells, each with one repetition so far.
    const [left, all] = [await planned({ resume: out, repetitions: 30 }), await planned({ repetitions: 30 })];
    expect([left.openRepetitions, all.openRepetitions]).toEqual([58, undefined]);
    expect(left.estimatedSeconds / all.estimatedSeconds).toBeCloseTo(29 / 30, 1);
    expect((await planned({ resume: out })).estimatedSeconds).toBe(0);
    const text = await run({ resume: out, repetitions: 3, dryRun: true, probe: false });
    expect(text.stdout).toContain('4 left of 2 cells × 3 repetitions: about');
    const more = await run({ resume: out, repetitions: 3 });
    expect([more.code, measured(more.log).length]).toEqual([0, 4]);
    const { record, cells: after } = await openRun(out);
    expect(after.map(({ repetition }) => repetition).sort()).toEqual([1, 1, 2, 2, 3, 3]);
    expect(after.filter(({ repetition }) => repetition === 1)).toEqual(before);
    expect([record.repetitions, record.extendedFrom, record.status]).toEqual([3, [1], 'finished']);
    const fewer = await run({ resume: out, repetitions: 2 });
    expect([fewer.code, fewer.stderr]).toEqual([2, expect.stringContaining('got 2, expected more than the 3')]);
  });

  it('--dry-run states what a comparison of architectures can show, and nothing of the kind for other studies', async () => {
    const flags: RunFlags = { dryRun: true, probe: false, repetitions: 4 };
    const routing = await run(flags);
    expect(routing.stdout).toMatch(/what it can show: with 4 repetitions a difference is shown four times out of five/);
    const stream = 'experiments/stream-small.yaml';
    const dry = (more: RunFlags) => inProcess(() => runOn(fakeBackend().backend, stream, { ...flags, ...more }));
    const { code, stdout } = await dry({});
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('what it can show')]);
    expect(stdout).toContain('4 repetitions: about');
    expect(JSON.parse((await dry({ json: true })).stdout)).not.toHaveProperty('design');
  });

  it('exits with 5 if no repetition of a cell is valid', async () => {
    const isBroken = ({ levels }: ExperimentCell): boolean => levels.architecture === 'sidecar';
    const { code, stderr } = await run({ out: newFolder() }, { isBroken });
    expect([code, stderr]).toEqual([5, expect.stringContaining('died during the repetition: pricing')]);
    expect(stderr).toContain(
      'TB_EXPERIMENT_NO_VALID_REPETITION: one cell has no valid repetition: sidecar · 2 services',
    );
  });

  it('--find-max prints the rates between which the bound is reached, and again when resumed', async () => {
    // The response time of a queue with one server.
    const timesUs = ({ levels }: ExperimentCell) => [1e6 / Math.max(1e-9, 100 - Number(levels.rate))];
    const out = newFolder();
    const first = await run({ out, findMax: 'p95<50ms' }, { timesUs });
    expect(first.code).toBe(0);
    const [, low, high] =
      /sidecar meets p95<50ms at ([\d.]+) req\/s and no longer at ([\d.]+) req\/s/.exec(first.stdout) ?? [];
    expect(Number(low)).toBeLessThan(80);
    expect(Number(high)).toBeGreaterThanOrEqual(80);
    const again = await run({ resume: out }, { timesUs });
    expect([again.code, measured(again.log), again.stdout]).toEqual([0, [], first.stdout]);
  });
});

describe('gate --experiment', () => {
  /** @param slower times of the candidate ÷ those of the baseline @param spread of the baseline's medians */
  const gate = async (
    { slower = 1, spread = 0.01, ...flags }: { slower?: number; spread?: number } & Partial<GateFlags> = {},
    options: FakeOptions = {},
  ) => {
    const out = newFolder();
    const timesUs = ({ side }: ExperimentCell, repetition: number) => [
      10_000 *
        (1 + spread * Math.sin(repetition * (side === 'candidate' ? 7 : 5))) *
        (side === 'candidate' ? slower : 1),
    ];
    const fake = fakeBackend({ timesUs, ...options });
    const ended = await inProcess(() =>
      gateOn(fake.backend, {
        experiment: file,
        baselineRef: folder,
        candidateRef: folder,
        threshold: ['rtt.median < +5%'],
        maxTime: 60e6,
        out,
        ...flags,
      }),
    );
    return { ...ended, ...fake, out };
  };

  it.each([
    [1, 0, 'passed'],
    [1.2, 1, 'failed'],
  ])('with a candidate %d times as slow ends with exit code %i', async (slower, exit, verdict) => {
    const { code, stdout, stderr, out, openBeds, timesClosed } = await gate({ slower });
    expect([code, stderr]).toEqual([exit, expect.stringContaining('pairs are enough for their spread')]);
    expect(stdout).toContain(verdict);
    expect([openBeds(), timesClosed()]).toEqual([0, 1]);
    const sides = await Promise.all(['baseline', 'candidate'].map((side) => openRun(join(out, side))));
    const [baseline, candidate] = sides.map(({ record, cells }) => ({ ...record, pairs: cells.length }));
    expect([baseline?.status, candidate?.status]).toEqual(['finished', 'finished']);
    expect(baseline?.pairs).toBe(candidate?.pairs);
    expect(baseline?.sideBySide?.id).toBe(candidate?.sideBySide?.id);
  });

  it('prints once what the runner does not apply, and records it on both sides', async () => {
    const notice = '`limits` of svc-1 are not applied';
    const { stderr, out } = await gate({ maxTime: 1 }, { notices: [notice] });
    expect(stderr.split(`note: ${notice}\n`)).toHaveLength(2);
    for (const side of ['baseline', 'candidate']) {
      expect((await openRun(join(out, side))).record.notices).toEqual([notice]);
    }
  });

  it('cannot tell when the pairs differ too much for the time', async () => {
    const { code, stderr } = await gate({ spread: 0.5, maxTime: 1 });
    expect([code, stderr]).toEqual([5, expect.stringContaining('more pairs for this spread')]);
  });

  it('deploys both sides together and afresh for each pair, and alternates which one is first', async () => {
    const joint: (JointOptions | undefined)[] = [];
    const onTogether: FakeOptions['onTogether'] = (cells, options) => {
      expect(cells.map(({ side, settings }) => [side, settings.traceHops])).toEqual([
        ['baseline', 0],
        ['candidate', 0],
      ]);
      joint.push(options);
    };
    const { log } = await gate({ set: [['traceHops', '10%']] }, { onTogether });
    expect(joint).toHaveLength(measured(log).length);
    expect(joint.slice(0, 4).map((options) => options?.first)).toEqual([1, 1, 0, 0]);
    expect(joint.every((options) => options?.leaveOutLate)).toBe(true);
  });

  it('ends with the failure of its first pair; a later one is invalid on both sides', async () => {
    const failAt = (pair: number): FakeOptions => {
      let measurements = 0;
      const onMeasure = () => {
        if (Math.ceil(++measurements / 2) === pair) throw new TopoBenchError('TB_ROLE_DIED', 'pricing ended');
      };
      return { onMeasure };
    };
    const first = await gate({}, failAt(1));
    expect([first.code, first.stderr]).toEqual([4, expect.stringContaining('error TB_ROLE_DIED: pricing ended')]);
    expect((await openRun(join(first.out, 'candidate'))).record.status).toBe('failed');
    const later = await gate({}, failAt(2));
    expect(later.code).toBe(0);
    expect(later.stderr).toMatch(/baseline INVALID: .*pricing ended.*\n +candidate INVALID: .*pricing ended/);
  });

  it('writes every output also when the first deployment fails', async () => {
    const [junit, markdown] = [join(folder, 'broken.xml'), join(folder, 'broken.md')];
    const onDeploy = () => {
      throw new TopoBenchError('TB_ROLE_NOT_READY', 'pricing would not start');
    };
    const { code, stderr } = await gate({ junit, markdown }, { onDeploy });
    expect([code, stderr]).toEqual([3, expect.stringContaining('error TB_ROLE_NOT_READY: pricing would not start')]);
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain('failures="0" errors="1"');
    expect(xml).toContain('name="rtt.median &lt; +5%"');
    expect(xml).toContain('pricing would not start');
    expect(readFileSync(markdown, 'utf8')).toMatch(/❔ cannot tell.*\n(.*\n)*.*pricing would not start/);
  });

  it('when interrupted keeps its pairs, and a side cannot be resumed', async () => {
    let measurements = 0;
    const { code, stderr, out } = await gate({}, { onMeasure: () => ++measurements === 5 && process.emit('SIGINT') });
    expect([code, stderr]).toEqual([130, expect.stringContaining(`what was measured is kept in ${out}`)]);
    const { record, cells } = await openRun(join(out, 'baseline'));
    expect([record.status, cells.length]).toEqual(['interrupted', 2]);
    const resumed = await run({ resume: join(out, 'candidate') });
    expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining('one side of a side-by-side gate')]);
  });
});
