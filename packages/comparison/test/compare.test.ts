import { randomStream } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { describe, expect, test } from 'vitest';
import { compareRuns, compareWithin } from '../src/compare.ts';
import { isSeen } from '../src/compare-cells.ts';
import { sensitivitySentences } from '../src/sensitivity-sentences.ts';
import { noisy } from './fixtures/noise.ts';
import { type CellFigures, cellRun, invalid, runOf, saturated } from './fixtures/run-of.ts';

const flat = (centre: number, count = 8): number[] => Array.from({ length: count }, (_, i) => centre * (1 + 0.001 * i));

describe('two runs', () => {
  test('of the same experiment show no difference, and name the difference that they could have shown', () => {
    const random = randomStream(7, 'same');
    const { cells } = compareRuns(cellRun(noisy(random, 2000, 0.02, 10)), cellRun(noisy(random, 2000, 0.02, 10)));
    expect(cells[0]).toMatchObject({ verdict: 'no difference seen', pairing: 'unpaired' });
    expect(sensitivitySentences(cells, 0.05)[0]).toMatch(
      /^With 10 repetitions this comparison could not have seen less than [\d.]+%\.$/,
    );
  });

  test('of which one does a fifth more work: slower, the interval covers the truth', () => {
    const random = randomStream(8, 'slower');
    const [cell] = compareRuns(cellRun(noisy(random, 2000, 0.03, 8)), cellRun(noisy(random, 2400, 0.03, 8))).cells;
    expect(cell?.verdict).toBe('slower');
    expect(cell?.intervalPercent[0]).toBeLessThan(20);
    expect(cell?.intervalPercent[1]).toBeGreaterThan(20);
    expect(cell?.interval[0]).toBeLessThan(400);
    expect(cell?.interval[1]).toBeGreaterThan(400);
  });

  test('a higher rate is faster, a higher time is slower', () => {
    const withRate = (rate: number) =>
      runOf([
        {
          factors: { architecture: 'none' },
          mediansUs: flat(100),
          change: (entry, repetition) => ({ ...entry, achievedRps: rate + repetition / 100 }),
        },
      ]);
    const compared = compareRuns(withRate(100), withRate(200), { metric: 'achievedRps' });
    expect(compared.cells[0]).toMatchObject({ verdict: 'faster', metric: 'achievedRps' });
    expect(compareRuns(cellRun(flat(100)), cellRun(flat(200))).cells[0]?.verdict).toBe('slower');
  });

  test('two repetitions against many may show something', () => {
    const [cell] = compareRuns(cellRun(flat(100, 20)), cellRun(flat(200, 2))).cells;
    expect(cell).toMatchObject({ verdict: 'slower', minimumDetectablePercent: expect.toSatisfy(Number.isFinite) });
  });

  test('a difference that is significant alone is not among many cells: Holm over the cells', () => {
    const cells = (shifted: number): CellFigures[] =>
      Array.from({ length: 20 }, (_, i) => ({
        factors: { architecture: 'none', rate: i + 1 },
        mediansUs: flat(i === 0 ? shifted : 100, 4),
      }));
    const alone = compareRuns(runOf(cells(100).slice(0, 1)), runOf(cells(150).slice(0, 1)));
    const among = compareRuns(runOf(cells(100)), runOf(cells(150)));
    expect(alone.cells[0]?.verdict).toBe('slower');
    expect(among.cells[0]).toMatchObject({
      verdict: 'cannot tell',
      pValue: alone.cells[0]?.pValue,
      adjustedPValue: 20 * alone.cells[0]!.pValue,
    });
  });

  test('are undecided on a saturated host', () => {
    const full = runOf([{ factors: { architecture: 'sidecar' }, mediansUs: flat(900), change: saturated }]);
    const [cell] = compareRuns(cellRun(flat(100)), full).cells;
    expect(cell).toMatchObject({
      verdict: 'cannot tell',
      saturated: true,
      reason: expect.stringContaining('saturated'),
    });
  });

  test('are undecided when other programs filled the host, and compared when it had idle time', () => {
    const shared = (idlePercent: number) => (entry: Cell) => ({
      ...entry,
      resources: { host: { idlePercent, foreignPercent: 60 } },
      validity: { ...entry.validity, flags: ['foreign-load'] },
    });
    const runWith = (idlePercent: number) =>
      runOf([{ factors: { architecture: 'sidecar' }, mediansUs: flat(900), change: shared(idlePercent) }]);
    expect(compareRuns(cellRun(flat(100)), runWith(0.7)).cells[0]).toMatchObject({
      verdict: 'cannot tell',
      reason: 'other programs had the processors: the difference may be theirs',
    });
    expect(compareRuns(cellRun(flat(100)), runWith(30)).cells[0]?.verdict).toBe('slower');
  });

  test('invalid repetitions are left out and counted', () => {
    const mostly = runOf([
      {
        factors: { architecture: 'sidecar' },
        mediansUs: [...flat(100), 9e6, 9e6],
        change: (entry, r) => (r > 8 ? invalid(entry) : entry),
      },
    ]);
    const { cells, notes } = compareRuns(cellRun(flat(100)), mostly);
    expect(cells[0]?.repetitions).toEqual({
      baseline: { used: 8, invalid: 0, missing: 0 },
      candidate: { used: 8, invalid: 2, missing: 0 },
    });
    expect(notes).toContain('2 invalid repetitions of the candidate left out');
  });

  test('of invalid repetitions alone cannot be compared: exit code 5 with the first reason', () => {
    const none = runOf([{ factors: { architecture: 'sidecar' }, mediansUs: flat(100), change: invalid }]);
    expect(() => compareRuns(cellRun(flat(100)), none)).toThrow(
      expect.objectContaining({
        code: 'TB_COMPARE_NO_VALID_REPETITION',
        exitCode: 5,
        hint: expect.stringContaining('out of CPU'),
      }),
    );
  });

  test('without a cell in common are refused', () => {
    const other = runOf([{ factors: { architecture: 'none' }, mediansUs: flat(100) }]);
    expect(() => compareRuns(cellRun(flat(100)), other)).toThrow(
      expect.objectContaining({
        code: 'TB_COMPARE_NO_COMMON_CELLS',
        exitCode: 2,
        message: expect.stringContaining('"none"'),
      }),
    );
  });

  test('cells match by factors in any order, and those without a partner are named', () => {
    const from = runOf([
      { factors: { architecture: 'none', rate: 100 }, mediansUs: flat(100) },
      { factors: { architecture: 'none', rate: 200 }, mediansUs: flat(100) },
    ]);
    const to = runOf([{ factors: { rate: 100, architecture: 'none' }, mediansUs: flat(100) }]);
    const { cells, notes } = compareRuns(from, to);
    expect(cells).toHaveLength(1);
    expect(notes).toContain('1 cell only in the baseline, e.g. {"architecture":"none","rate":200}');
  });

  test('a comparison of simulated with measured figures has a note', () => {
    const simulated = runOf([
      {
        factors: { architecture: 'sidecar' },
        mediansUs: flat(100),
        change: (entry) => ({ ...entry, source: 'simulated' }),
      },
    ]);
    const { cells, notes } = compareRuns(cellRun(flat(100)), simulated);
    expect(cells[0]?.source).toEqual({ baseline: 'measured', candidate: 'simulated' });
    expect(notes).toContain('in 1 cell the baseline is measured and the candidate simulated');
  });

  test('of which one kept its stores on another server report that', () => {
    const own = cellRun(flat(100), {
      storeServers: [{ engine: 'postgresql' }, { engine: 'redis', address: 'c:6379', source: 'x' }],
    });
    const named = cellRun(flat(100), {
      storeServers: [
        { engine: 'postgresql', address: 'db:5432', source: '--postgres-url' },
        { engine: 'redis', address: 'c:6379', source: 'y' },
      ],
    });
    expect(compareRuns(own, named).notes).toEqual(['database server differs: postgresql one of topo-bench → db:5432']);
    expect(compareRuns(named, named).notes).toEqual([]);
    const older = { engine: 'postgresql', image: 'postgres:16' };
    const newer = { engine: 'postgresql', image: 'postgres:17' };
    const on = (...storeServers: { engine: string; image: string }[]) => cellRun(flat(100), { storeServers });
    expect(compareRuns(on(older), on(newer)).notes).toEqual([
      'database server differs: postgresql postgres:16 → postgres:17',
    ]);
    // Both are levels of a factor.
    expect(compareRuns(on(older, newer), on(older, newer)).notes).toEqual([]);
  });

  test('that differ in machine, Node.js, version, seed or experiment report it; thresholds are no difference', () => {
    const before = cellRun(flat(100));
    const after = cellRun(flat(100), {
      seed: 2,
      environment: {
        ...before.record.environment,
        node: '24.0.0',
        topoBench: '0.2.0',
        cpuModel: 'Another CPU',
        hostname: 'ffff',
      },
      experiment: { kind: 'Experiment', duration: 2e6, thresholds: ['rtt.p95 < 5ms'] },
    });
    expect(compareRuns(before, after).notes).toEqual([
      `Node.js differs: ${before.record.environment.node} → 24.0.0`,
      'topo-bench differs: 0.1.0 → 0.2.0',
      expect.stringMatching(/^machine differs: cpuModel .* → Another CPU; hostname .* → ffff$/),
      'seed differs: 1 → 2',
      'experiment differs: experiment.duration 1000000 → 2000000',
    ]);
  });

  test('of different runners report it, and name what differs between the hosts of their services', () => {
    const { cores, node, platform, arch, cpuModel, memoryBytes, kernel, hostname } = cellRun(flat(100)).record
      .environment;
    const own = { id: 'this-host', cores, node, platform, arch, cpuModel, memoryBytes, kernel, hostname };
    const before = cellRun(flat(100), { experiment: { runner: 'local' }, hosts: [own] });
    const pods = [
      { ...own, id: 'node-1', node: 'v20.0.1', cores: 64 },
      { ...own, id: 'node-2', node: 'v20.0.1', cores: 32 },
    ];
    const after = cellRun(flat(100), { experiment: { runner: 'elsewhere' }, hosts: pods });
    expect(compareRuns(before, after).notes).toEqual([
      'runner differs: local → elsewhere',
      `host of the services differs: node ${node} → v20.0.1; cores ${cores} → 32, 64`,
    ]);
    // The machine of topo-bench differs in the same way: said once.
    const environment = { ...before.record.environment, cores: 64 };
    const larger = cellRun(flat(100), { experiment: { runner: 'local' }, environment, hosts: [{ ...own, cores: 64 }] });
    expect(compareRuns(before, larger).notes).toEqual([`machine differs: cores ${cores} → 64`]);
  });

  test('of which one had privileges that the other lacked report that', () => {
    const withGrants = (generator: Cell['generator'], gateway: boolean) =>
      runOf([
        {
          factors: { architecture: 'none' },
          mediansUs: flat(100),
          change: (entry) => ({ ...entry, generator, gateway: { priority: gateway } }),
        },
      ]);
    const all = withGrants({ realTimePriority: true, coresKeptAwake: true }, true);
    const none = withGrants({ realTimePriority: false, coresKeptAwake: false }, false);
    const older = withGrants({ realTimePriority: true }, true);
    expect(compareRuns(all, none).notes).toEqual([
      'real-time priority of the load generator: yes in the baseline, no in the candidate',
      'cores kept awake: yes in the baseline, no in the candidate',
      'priority of the gateway: yes in the baseline, no in the candidate',
    ]);
    expect(compareRuns(older, all).notes).toEqual(['cores kept awake: no in the baseline, yes in the candidate']);
    expect(compareRuns(all, all).notes).toEqual([]);
    expect(compareRuns(withGrants(undefined, true), all).notes).toEqual([]);
  });

  test('levels of one run with different privileges have a note on each of them', () => {
    const levels = { here: true, pods: false, containers: false };
    const run = runOf(
      Object.entries(levels).map(([runner, priority]) => ({
        factors: { architecture: 'none', runner },
        mediansUs: flat(100),
        change: (entry) => ({ ...entry, gateway: { priority } }),
      })),
    );
    expect(compareWithin(run, 'runner').notes).toEqual([
      'priority of the gateway: yes with here, no with pods',
      'priority of the gateway: yes with here, no with containers',
    ]);
  });

  test('with a privilege in some repetitions only have a note', () => {
    const keptAwake = (when: (repetition: number) => boolean) =>
      runOf([
        {
          factors: { architecture: 'none' },
          mediansUs: flat(100),
          change: (entry, repetition) => ({
            ...entry,
            generator: { realTimePriority: true, coresKeptAwake: when(repetition) },
          }),
        },
      ]);
    const half = keptAwake((repetition) => repetition % 2 === 0);
    expect(
      compareRuns(
        half,
        keptAwake(() => true),
      ).notes,
    ).toEqual(['cores kept awake: not always in the baseline, yes in the candidate']);
    expect(compareRuns(half, half).notes).toEqual([]);
  });

  test('on a scale of differences equal zeros are no difference and a rise is worse', () => {
    const withErrors = (share: number) =>
      runOf([
        {
          factors: { architecture: 'none' },
          mediansUs: flat(100),
          change: (entry, repetition) => {
            const error = share === 0 ? 0 : 10 * share + repetition;
            return { ...entry, outcomes: { completed: 1000 - error, refused: 0, error, unfinished: 0 } };
          },
        },
      ]);
    const verdict = (from: number, to: number) =>
      compareRuns(withErrors(from), withErrors(to), { metric: 'errors.rate' }).cells[0]?.verdict;
    expect(verdict(0, 0)).toBe('no difference seen');
    expect(verdict(0, 5)).toBe('worse');
    expect(verdict(5, 0)).toBe('better');
  });
});

describe('levels inside one run', () => {
  const study = (repetitions: number): CellFigures[] => {
    const drift = noisy(randomStream(3, 'drift'), 1, 0.2, repetitions);
    return [
      ['none', 80],
      ['central-entity', 121],
      ['sidecar', 110],
    ].map(([architecture, centre], at) => ({
      factors: { architecture: architecture as string, rate: 100 },
      mediansUs: drift.map((factor, i) => (centre as number) * factor * (1 + 0.001 * ((i + at) % 5))),
    }));
  };

  test('are compared with the sidecars unless another reference is named', () => {
    const { reference, cells } = compareWithin(runOf(study(10)), 'architecture');
    expect(reference).toBe('sidecar');
    expect(cells.map(({ factors, verdict }) => [factors.architecture, verdict])).toEqual([
      ['none', 'faster'],
      ['central-entity', 'slower'],
    ]);
    const other = compareWithin(runOf(study(10)), 'architecture', { reference: 'none' });
    expect(other.cells.map(({ verdict }) => verdict)).toEqual(['slower', 'slower']);
  });

  test('are paired by round, which takes out the drift that a round shares', () => {
    const run = runOf(study(10));
    const [, paired] = compareWithin(run, 'architecture').cells;
    const alone = (architecture: string) =>
      runOf(
        study(10)
          .filter(({ factors }) => factors.architecture === architecture)
          .map((cell) => ({ ...cell, factors: {} })),
      );
    const [unpaired] = compareRuns(alone('sidecar'), alone('central-entity')).cells;
    expect(paired?.pairing).toBe('by round');
    expect(unpaired).toMatchObject({ pairing: 'unpaired', verdict: 'cannot tell' });
    const width = ([low, high]: readonly [number, number]): number => high - low;
    expect(width(paired!.intervalPercent)).toBeLessThan(width(unpaired!.intervalPercent) / 10);
  });

  test('are not paired with too few rounds for a paired test', () => {
    const [cell] = compareWithin(runOf(study(5)), 'architecture').cells;
    expect(cell?.pairing).toBe('unpaired');
  });

  test('pair round with round also where a repetition of one side is invalid', () => {
    const cells = study(12).map((cell, at) => ({
      ...cell,
      change: (entry: Parameters<typeof invalid>[0], r: number) => (at === 0 && r === 3 ? invalid(entry) : entry),
    }));
    const [none] = compareWithin(runOf(cells), 'architecture').cells;
    expect(none).toMatchObject({
      pairing: 'by round',
      verdict: 'faster',
      repetitions: { candidate: { used: 11, invalid: 1 } },
    });
  });

  test('six rounds show a difference among any number of cells, since whole rounds are relabelled', () => {
    const drift = noisy(randomStream(4, 'drift'), 1, 0.2, 6);
    const level = (architecture: string, rate: number, factor: number): CellFigures => ({
      factors: { architecture, rate },
      mediansUs: drift.map((each, i) => 100 * each * factor * (1 + 0.002 * ((i * 5 + rate) % 7))),
    });
    const run = (rounds: number) =>
      runOf(
        [1, 2, 3, 4, 5, 6].flatMap((rate) =>
          [level('sidecar', rate, 1), level('none', rate, rate === 3 ? 1.2 : 1)].map(({ factors, mediansUs }) => ({
            factors,
            mediansUs: mediansUs.slice(0, rounds),
          })),
        ),
      );
    const { cells } = compareWithin(run(6), 'architecture');
    expect(cells.map(({ verdict }) => verdict === 'slower')).toEqual([false, false, true, false, false, false]);
    expect(cells[2]).toMatchObject({ pairing: 'by round', smallestRepetitions: 6, adjustedPValue: 2 / 64 });
    const [, , fewer] = compareWithin(run(5), 'architecture').cells;
    expect(fewer).toMatchObject({ verdict: 'cannot tell', agreeing: { rounds: 5 } });
    expect(fewer?.reason).toBe('all 5 rounds agree, as they do by chance in one of 16 cases: 6 rounds could show it');
    expect(isSeen(fewer!)).toBe(true);
  });

  test('of equal levels alarm no more often than stated, over all cells and with outliers', () => {
    const random = randomStream(11, 'equal levels');
    const noise = (): number => (random.uniform() < 0.15 ? 3 : 1) * (1 + 0.05 * random.uniform());
    const levels = ['sidecar', 'none', 'central-entity', 'dynamic-router-2'];
    let alarms = 0;
    for (let run = 0; run < 400; run++) {
      const figures = levels.map((architecture) => ({
        factors: { architecture },
        mediansUs: Array.from({ length: 7 }, () => 100 * noise()),
      }));
      const { cells } = compareWithin(runOf(figures), 'architecture');
      alarms += Number(cells.some(({ verdict }) => verdict === 'faster' || verdict === 'slower'));
    }
    // 5% of 400 are 20; 31 is 2.5 standard deviations above.
    expect(alarms).toBeLessThanOrEqual(31);
  });

  test('an unknown factor or level is reported with the known ones', () => {
    expect(() => compareWithin(runOf(study(4)), 'architectur')).toThrow(
      expect.objectContaining({
        code: 'TB_EXPERIMENT_UNKNOWN_LEVEL',
        exitCode: 2,
        hint: 'did you mean "architecture"?',
      }),
    );
    expect(() => compareWithin(runOf(study(4)), 'architecture', { reference: 'sidecars' })).toThrow(
      expect.objectContaining({ code: 'TB_EXPERIMENT_UNKNOWN_LEVEL', hint: 'did you mean "sidecar"?' }),
    );
    expect(() => compareWithin(runOf(study(4)), 'rate')).toThrow(
      expect.objectContaining({ code: 'TB_COMPARE_NO_COMMON_CELLS' }),
    );
  });
});
