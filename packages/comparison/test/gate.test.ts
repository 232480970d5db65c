import { type RunFolder, randomStream } from '@topo-bench/core';
import type { Cell, ValidityReason } from '@topo-bench/core/schema/result';
import { describe, expect, test } from 'vitest';
import { isFailing } from '../src/failing-cells.ts';
import { gate } from '../src/gate.ts';
import type { GateResult } from '../src/gate-result.ts';
import { parseThreshold } from '../src/threshold.ts';
import { noisy } from './fixtures/noise.ts';
import { type CellFigures, cellRun, failing, invalid, runOf, saturated } from './fixtures/run-of.ts';

function judge(candidate: RunFolder, baseline: RunFolder | undefined, ...texts: string[]): GateResult {
  return gate(
    candidate,
    baseline,
    texts.map((text) => parseThreshold(text)),
  );
}

const flat = (centre: number, count = 8): number[] => Array.from({ length: count }, (_, i) => centre * (1 + 0.001 * i));

/** Rounds of a minute. */
const timed = (mediansUs: readonly number[], folder = 'run'): RunFolder =>
  runOf(
    [
      {
        factors: { architecture: 'sidecar' },
        mediansUs,
        change: (entry, repetition) => ({ ...entry, startedAt: `2026-01-01T10:0${repetition}:00.000Z` }),
      },
    ],
    { inputs: {} },
    folder,
  );

describe('a relative threshold', () => {
  test('passes when the change is shown to be within it, fails when the change is shown to exceed it', () => {
    expect(judge(cellRun(flat(102)), cellRun(flat(100)), 'rtt.median < +5%').verdict).toBe('passed');
    const { verdict, thresholds } = judge(cellRun(flat(110)), cellRun(flat(100)), 'rtt.median < +5%');
    expect(verdict).toBe('failed');
    expect(thresholds[0]).toMatchObject({ kind: 'relative', cells: [{ passed: false, verdict: 'slower' }] });
    expect(thresholds[0]?.pooled?.differencePercent).toBeCloseTo(10, 5);
  });

  test('cannot tell with three repetitions, and names four as enough', () => {
    const { verdict, thresholds } = judge(cellRun(flat(200, 3)), cellRun(flat(100, 3)), 'rtt.median < +5%');
    expect(verdict).toBe('cannot tell');
    expect(thresholds[0]).toMatchObject({ repetitionsNeeded: 4, cells: [{ passed: null }] });
    expect(thresholds[0]?.reason).toContain('; about 4 repetitions a side would tell, ');
  });

  test('states how long the repetitions take on both sides, the commands, and what would need fewer', () => {
    const reason = (one: number[], other: number[]): string | undefined =>
      judge(timed(one, 'runs/new'), timed(other, 'runs/old'), 'rtt.median < +5%').thresholds[0]?.reason;
    const commands =
      'topo-bench run --resume runs/new --repetitions 4, and the same for runs/old, each with the code that it measured';
    expect(reason(flat(200, 3), flat(100, 3))).toContain(
      `about 4 repetitions a side would tell (about 2 min more: ${commands}), fewer where the sides take turns (topo-bench gate --experiment)`,
    );
  });

  test('cannot tell about a spread wider than the limit, and names the number of repetitions that could', () => {
    const wide = [70, 80, 90, 100, 110, 120, 130, 140];
    const { verdict, thresholds } = judge(cellRun(wide), cellRun(wide), 'rtt.median < +5%');
    expect(verdict).toBe('cannot tell');
    expect(thresholds[0]?.repetitionsNeeded).toBeGreaterThan(8);
    expect(thresholds[0]?.reason).toMatch(/repetitions a side would tell/);
  });

  test('can require an improvement, and that a rate must not fall', () => {
    expect(judge(cellRun(flat(80)), cellRun(flat(100)), 'rtt.median < -10%').verdict).toBe('passed');
    expect(judge(cellRun(flat(97)), cellRun(flat(100)), 'rtt.median < -10%').verdict).toBe('failed');
    const atRate = (rate: number) =>
      runOf([{ factors: {}, mediansUs: flat(1), change: (entry, r) => ({ ...entry, achievedRps: rate + r / 100 }) }]);
    expect(judge(atRate(99), atRate(100), 'achievedRps > -2%').verdict).toBe('passed');
    expect(judge(atRate(90), atRate(100), 'achievedRps > -2%').verdict).toBe('failed');
  });

  test('finds a change of all cells with fewer repetitions than any single cell needs', () => {
    const random = randomStream(9, 'pooled');
    const run = (factor: number) =>
      runOf(
        Array.from({ length: 12 }, (_, i) => ({
          factors: { rate: i + 1 },
          mediansUs: noisy(random, 100 * (i + 1) * factor, 0.04, 5),
        })),
      );
    const { verdict, thresholds } = judge(run(1.12), run(1), 'rtt.median < +5%');
    expect(verdict).toBe('failed');
    expect(thresholds[0]?.cells.every(({ passed }) => passed !== false)).toBe(true);
  });

  test('finds a change in one cell of many that the pooled test misses', () => {
    const random = randomStream(10, 'one cell');
    const run = (factor: number) =>
      runOf(
        Array.from({ length: 8 }, (_, i) => ({
          factors: { rate: i + 1 },
          mediansUs: noisy(random, 100 * (i === 3 ? factor : 1), 0.02, 10),
        })),
      );
    const { verdict, thresholds } = judge(run(1.3), run(1), 'rtt.median < +5%');
    expect(verdict).toBe('failed');
    expect(thresholds[0]?.pooled?.intervalPercent[1]).toBeLessThan(5);
    expect(thresholds[0]?.cells.filter(({ passed }) => passed === false).map(({ factors }) => factors.rate)).toEqual([
      4,
    ]);
  });

  test('leaves saturated cells out, and cannot tell when there are no others', () => {
    const run = (centre: number, change: (entry: Cell) => Cell) =>
      runOf([
        { factors: { rate: 1 }, mediansUs: flat(100) },
        { factors: { rate: 2 }, mediansUs: flat(centre), change },
      ]);
    const some = judge(run(900, saturated), run(100, saturated), 'rtt.median < +5%');
    expect(some.verdict).toBe('passed');
    expect(some.notes).toContain('the host was saturated in 1 cell: relative thresholds leave it out');
    const full = (centre: number) => runOf([{ factors: {}, mediansUs: flat(centre), change: saturated }]);
    expect(judge(full(900), full(100), 'rtt.median < +5%').verdict).toBe('cannot tell');
  });

  test('does not pass while a cell has no valid repetition', () => {
    const run = (change: (entry: Cell) => Cell) =>
      runOf([
        { factors: { rate: 1 }, mediansUs: flat(100) },
        { factors: { rate: 2 }, mediansUs: flat(100), change },
      ]);
    const { verdict, thresholds } = judge(
      run(invalid),
      run((entry) => entry),
      'rtt.median < +5%',
    );
    expect(verdict).toBe('cannot tell');
    expect(thresholds[0]?.reason).toContain('1 of 2 cells has no valid repetition');
  });

  test('ignores cells that cannot have the figure', () => {
    const run = runOf([
      { factors: { architecture: 'none' }, mediansUs: flat(100) },
      {
        factors: { architecture: 'sidecar' },
        mediansUs: flat(100),
        change: (entry, r) => ({ ...entry, cpuUsPerRequest: { sidecar: 70 + r / 100, total: 90 } }),
      },
    ]);
    const { verdict, thresholds } = judge(run, run, 'cpuUsPerRequest.sidecar < +5%');
    expect([verdict, thresholds[0]?.cells.length]).toEqual(['passed', 1]);
    expect(() => judge(run, run, 'rttRefused.p95 < +5%')).toThrow(
      expect.objectContaining({ code: 'TB_METRIC_UNKNOWN', message: 'no repetition has rttRefused.p95' }),
    );
  });

  test('is not biased by rounds that lack one of the cells', () => {
    const run = (change: (entry: Cell, repetition: number) => Cell) =>
      runOf([
        { factors: { rate: 1 }, mediansUs: flat(100), change },
        { factors: { rate: 2 }, mediansUs: flat(9000) },
      ]);
    const some = run((entry, repetition) => (repetition > 5 ? invalid(entry) : entry));
    const { thresholds } = judge(
      some,
      run((entry) => entry),
      'rtt.median < +5%',
    );
    expect(thresholds[0]).toMatchObject({ verdict: 'passed', pooled: { repetitions: 8 } });
    expect(Math.abs(thresholds[0]!.pooled!.differencePercent)).toBeLessThan(0.5);
  });

  test('fails on a candidate whose requests never finish', () => {
    const { verdict } = judge(cellRun(Array(8).fill(Number.POSITIVE_INFINITY)), cellRun(flat(100)), 'rtt.median < +5%');
    expect(verdict).toBe('failed');
  });

  test('needs a baseline: exit code 6', () => {
    expect(() => judge(cellRun(flat(100)), undefined, 'rtt.median < +5%')).toThrow(
      expect.objectContaining({ code: 'TB_GATE_NO_BASELINE', exitCode: 6 }),
    );
  });

  test('rejects a comparison of measured with simulated figures', () => {
    const simulated = runOf([
      {
        factors: { architecture: 'sidecar' },
        mediansUs: flat(100),
        change: (entry) => ({ ...entry, source: 'simulated' }),
      },
    ]);
    expect(() => judge(cellRun(flat(100)), simulated, 'rtt.median < +5%')).toThrow(
      expect.objectContaining({ code: 'TB_GATE_SOURCES', exitCode: 2 }),
    );
  });
});

describe('an absolute threshold', () => {
  test.each([
    ['rtt.median', 5, 6],
    ['rtt.mean', 1, 6],
    ['rtt.p95', 19, 20],
    ['rtt.p99', 99, 100],
    ['rtt.p999', 999, 1000],
  ])('on %s has no verdict with %i requests in a repetition, and one with %i', (metric, few, enough) => {
    const judged = (count: number, limit: string) => {
      const change = (entry: Cell): Cell => ({
        ...entry,
        rtt: { ...entry.rtt, count, p95Us: 9, p99Us: 9, p999Us: 9, meanUs: 9 },
      });
      const run = runOf([{ factors: { architecture: 'sidecar' }, mediansUs: [9, 9], change }]);
      return gate(run, undefined, [parseThreshold(`${metric} < ${limit}`)]).thresholds[0];
    };
    for (const limit of ['1us', '10us']) {
      expect(judged(few, limit)).toMatchObject({
        verdict: 'cannot tell',
        reason: `2 of 2 repetitions have too few requests: got ${few}, expected ${enough} or more`,
      });
    }
    expect(judged(enough, '10us')?.verdict).toBe('passed');
    expect(judged(enough, '1us')?.verdict).toBe('failed');
  });

  test('on a minimum or a maximum is decided by one request', () => {
    const change = (entry: Cell): Cell => ({ ...entry, rtt: { ...entry.rtt, count: 1, maxUs: 9 } });
    const run = runOf([{ factors: { architecture: 'sidecar' }, mediansUs: [9], change }]);
    expect(gate(run, undefined, [parseThreshold('rtt.max < 10us')]).verdict).toBe('passed');
  });

  test('needs no baseline, and a single repetition suffices when it is clear', () => {
    expect(judge(cellRun([15_000]), undefined, 'rtt.median < 20ms').verdict).toBe('passed');
    expect(judge(cellRun([25_000]), undefined, 'rtt.median < 20ms').verdict).toBe('failed');
  });

  test('one outlier among many repetitions neither fails nor saves a build; few that disagree cannot tell', () => {
    expect(judge(cellRun([...flat(15_000, 9), 90_000]), undefined, 'rtt.median < 20ms').verdict).toBe('passed');
    expect(judge(cellRun([...flat(25_000, 9), 1000]), undefined, 'rtt.median < 20ms').verdict).toBe('failed');
    const few = judge(timed([19_000, 19_500, 20_500]), undefined, 'rtt.median < 20ms');
    expect(few).toMatchObject({ verdict: 'cannot tell', thresholds: [{ repetitionsNeeded: 6 }] });
    expect(few.thresholds[0]?.reason).toBe(
      '1 of 3 repetitions are beyond 20 ms; 6 repetitions or more would tell (about 3 min more: topo-bench run --resume run --repetitions 6)',
    );
  });

  test('of few repetitions is called a plain comparison: they agree by chance in one cell of 2^n', () => {
    const reasonOf = (run: RunFolder): string => judge(run, undefined, 'rtt.median < 20ms').thresholds[0]?.reason ?? '';
    const plain = (count: string) => `; a plain comparison: ${count} without an error rate`;
    expect(reasonOf(cellRun([15_000]))).toBe(`15 ms${plain('1 repetition')}`);
    expect(reasonOf(cellRun(flat(25_000, 4)))).toContain(plain('4 repetitions'));
    expect(reasonOf(cellRun(flat(25_000, 5)))).not.toContain('plain');
    // A failure of any of twelve cells needs 12 / 2^n, passing needs 1 / 2^n, since every cell must pass.
    const twelve = (centre: number, count: number): RunFolder =>
      runOf(Array.from({ length: 12 }, (_, rate) => ({ factors: { rate }, mediansUs: flat(centre, count) })));
    expect(reasonOf(twelve(25_000, 7))).toContain(plain('7 repetitions'));
    expect(reasonOf(twelve(25_000, 8))).not.toContain('plain');
    expect(reasonOf(twelve(15_000, 5))).not.toContain('plain');
  });

  test('fails cells that are all at the limit no more often than stated', () => {
    const [gates, cells] = [400, 12];
    const random = randomStream(11, 'absolute');
    const failed = Array.from({ length: gates }, () =>
      runOf(
        Array.from({ length: cells }, (_, rate) => ({ factors: { rate }, mediansUs: noisy(random, 20_000, 0.1, 9) })),
      ),
    ).filter((run) => judge(run, undefined, 'rtt.median < 20ms').verdict === 'failed').length;
    // The interval of each cell alone would fail in one gate of five.
    expect(failed / gates).toBeLessThan(0.05);
  });

  test('cannot pass by the other repetitions where one has no figure, but can fail by them', () => {
    const without: CellFigures['change'] = (entry, repetition) =>
      repetition === 1 ? { ...entry, rtt: { ...entry.rtt, medianUs: Number.NaN } } : entry;
    const verdictOf = (centre: number) =>
      judge(runOf([{ factors: {}, mediansUs: flat(centre), change: without }]), undefined, 'rtt.median < 20ms');
    expect(verdictOf(15_000)).toMatchObject({
      verdict: 'cannot tell',
      thresholds: [{ reason: '1 of 8 repetitions without this figure' }],
    });
    expect(verdictOf(25_000).verdict).toBe('failed');
  });

  test('states each reason of undecided cells, and no number of repetitions where a cell has no figure', () => {
    const run = runOf([
      { factors: { rate: 1 }, mediansUs: flat(15_000) },
      { factors: { rate: 2 }, mediansUs: [19_000, 19_500, 20_500] },
      { factors: { rate: 3 }, mediansUs: [1], change: invalid },
    ]);
    const [threshold] = judge(run, undefined, 'rtt.median < 20ms').thresholds;
    expect(threshold?.reason).toBe(
      '1 of 3 repetitions are beyond 20 ms in 1 of 3 cells; no valid repetition with this figure in 1 of 3 cells',
    );
    expect(threshold).not.toHaveProperty('repetitionsNeeded');
  });

  test('applies to cells that have the figure; a role that no cell has is unknown', () => {
    const run = runOf([
      { factors: { architecture: 'none' }, mediansUs: flat(100) },
      {
        factors: { architecture: 'sidecar' },
        mediansUs: flat(100),
        change: (entry) => ({ ...entry, cpuUsPerRequest: { sidecar: 70, total: 90 } }),
      },
    ]);
    expect(judge(run, undefined, 'cpuUsPerRequest.sidecar < 80us').thresholds[0]?.cells).toHaveLength(1);
    expect(() => judge(run, undefined, 'cpuUsPerRequest.sidecat < 80us')).toThrow(
      expect.objectContaining({ code: 'TB_METRIC_UNKNOWN', hint: 'did you mean "cpuUsPerRequest.sidecar"?' }),
    );
  });

  test('ignores invalid repetitions: a run without valid ones has exit code 5', () => {
    const run = runOf([{ factors: {}, mediansUs: flat(100), change: invalid }]);
    expect(() => judge(run, undefined, 'rtt.median < 20ms')).toThrow(
      expect.objectContaining({ code: 'TB_COMPARE_NO_VALID_REPETITION', exitCode: 5 }),
    );
  });
});

test('the verdict is that of the worst threshold', () => {
  const [from, to] = [cellRun(flat(100, 3)), cellRun(flat(100, 3))];
  expect(judge(to, from, 'rtt.median < 1ms').verdict).toBe('passed');
  expect(judge(to, from, 'rtt.median < 1ms', 'rtt.median < +5%').verdict).toBe('cannot tell');
  expect(judge(to, from, 'rtt.median < 1us', 'rtt.median < +5%').verdict).toBe('failed');
});

describe('a candidate whose requests fail', () => {
  const broken = (at: (repetition: number) => boolean = () => true) =>
    runOf([
      {
        factors: { architecture: 'sidecar' },
        mediansUs: flat(100),
        change: (entry, repetition) => (at(repetition) ? failing(entry) : entry),
      },
    ]);

  test('fails a threshold on errors, on a time, and one relative to a baseline that works', () => {
    const { verdict, thresholds } = judge(
      broken(),
      cellRun(flat(100)),
      'errors.rate <= 0%',
      'rtt.p95 < 20ms',
      'rtt.median < +5%',
    );
    expect(verdict).toBe('failed');
    expect(thresholds.map((threshold) => threshold.verdict)).toEqual(['failed', 'failed', 'failed']);
    expect(thresholds[0]?.reason).toContain('94%');
    const reason =
      'the candidate fails: 94% of its requests ended with an error, mostly http-500:pricing, in 8 of 8 repetitions';
    expect(thresholds[1]).toMatchObject({ reason, cells: [{ passed: false }] });
    expect(thresholds[2]).toMatchObject({ reason, cells: [{ passed: false }] });
  });

  test('is no news to a relative threshold where the baseline fails them too', () => {
    const { verdict, thresholds } = judge(broken(), broken(), 'rtt.median < +5%', 'errors.rate <= 0%');
    expect([verdict, ...thresholds.map((threshold) => threshold.verdict)]).toEqual(['failed', 'cannot tell', 'failed']);
    expect(() => judge(broken(), broken(), 'rtt.median < +5%')).toThrow(
      /valid repetition with rtt.median on both sides/,
    );
  });

  test('passes times without failing repetitions, and names how many failed', () => {
    const some = broken((repetition) => repetition > 6);
    const { verdict, notes } = judge(some, undefined, 'rtt.median < 20ms');
    expect(verdict).toBe('passed');
    expect(notes.join()).toContain(
      'in 2 of 8 repetitions the candidate failed more requests than the experiment allows',
    );
    expect(judge(some, undefined, 'errors.rate <= 0%').verdict).not.toBe('passed');
  });

  test('fails by half of its repetitions, and not by one error among late ones', () => {
    const relative = 'rtt.median < +50%';
    expect(
      judge(
        broken((repetition) => repetition > 4),
        cellRun(flat(100)),
        relative,
      ).verdict,
    ).toBe('failed');
    const oneError = runOf([
      {
        factors: { architecture: 'sidecar' },
        mediansUs: flat(100),
        change: (entry, repetition) => (repetition === 3 ? failing(entry) : invalid(entry)),
      },
    ]);
    expect(() => judge(oneError, cellRun(flat(100)), relative)).toThrow(/valid repetition/);
  });

  test('fails where a service of its own ended, whatever the errors', () => {
    const died: ValidityReason = { kind: 'died', roles: ['pricing ended with exit code 3'], userService: true };
    const ended = runOf([
      {
        factors: { architecture: 'sidecar' },
        mediansUs: flat(100),
        change: (entry) => ({ ...entry, validity: { valid: false, reasons: ['died'], flags: [], why: [died] } }),
      },
    ]);
    const { verdict, thresholds } = judge(ended, cellRun(flat(100)), 'rtt.median < +50%');
    expect(verdict).toBe('failed');
    expect(thresholds[0]?.reason).toBe('the candidate fails: pricing ended with exit code 3, in 8 of 8 repetitions');
  });

  test('fails in the one cell of two that fails', () => {
    const two = runOf([
      { factors: { architecture: 'none' }, mediansUs: flat(100) },
      { factors: { architecture: 'sidecar' }, mediansUs: flat(100), change: failing },
    ]);
    const [threshold] = judge(two, undefined, 'rtt.p95 < 20ms').thresholds;
    expect(threshold).toMatchObject({ verdict: 'failed', cells: [{ factors: { architecture: 'sidecar' } }] });
    expect(threshold?.reason).toContain('in 1 of 2 cells, e.g. sidecar');
  });

  test.each<[ValidityReason, boolean]>([
    [{ kind: 'late', p99Us: 5000, medianUs: 9000 }, true],
    [{ kind: 'generator-bound', busyShare: 0.95 }, false],
    [{ kind: 'died', roles: ['router-2'] }, false],
  ])('is to blame for errors unless %j may be the cause', (reason, isToBlame) => {
    const errors = { kind: 'errors', errors: 282, requests: 300, maxShare: 0 } as const;
    const validity = { valid: false, reasons: [], flags: [] };
    expect(isFailing({ validity: { ...validity, why: [reason, errors] } })).toBe(isToBlame);
    expect(isFailing({ validity: { ...validity, why: [reason] } })).toBe(false);
  });

  test('with other invalid repetitions alone has no verdict', () => {
    const other = runOf([{ factors: {}, mediansUs: flat(100), change: invalid }]);
    expect(() => judge(other, undefined, 'errors.rate <= 0%')).toThrow(/no valid repetition/);
  });
});
