/**
 * Figures of which more is better, of runs without round trips: MB/s of bulk transfers, successes per second of stores.
 */
import * as comparison from '@topo-bench/comparison';
import { type CompareOptions, formatValue } from '@topo-bench/comparison';
import type { RunFolder } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import type { StoreEntry } from '@topo-bench/store-study/parts';
import type { TransferEntry } from '@topo-bench/transfer-study/parts';
import type { TransferResult } from '@topo-bench/transfer-study/payload-schema';
import { describe, expect, test } from 'vitest';
import { cellRun, runOf, saturated } from '../../comparison/test/fixtures/run-of.ts';
import { exampleRecord } from '../../results/test/fixtures/example-record.ts';
import { studyMetrics as metrics } from '../src/index.ts';

const compareRuns = (from: RunFolder, to: RunFolder, options: CompareOptions = {}) =>
  comparison.compareRuns(from, to, { metrics, ...options });
const compareWithin = (run: RunFolder, factor: string, options: CompareOptions = {}) =>
  comparison.compareWithin(run, factor, { metrics, ...options });
const parseThreshold = (text: string) => comparison.parseThreshold(text, [], metrics);
const gate = (candidate: RunFolder, baseline: RunFolder | undefined, thresholds: comparison.Threshold[]) =>
  comparison.gate(candidate, baseline, thresholds, metrics);

/** A repetition that moved this many MB/s, in rows of 32 bytes, and of which nothing but that matters. */
function transfer(entry: Cell, megabytesPerSecond: number): TransferEntry {
  const flight = {
    megabytesPerSecond,
    rowsPerSecond: (megabytesPerSecond * 1e6) / 32,
    firstBatch: { ...entry.rtt, medianUs: 700 },
  };
  return { ...entry, rtt: { ...entry.rtt, medianUs: Number.NaN }, flight: flight as unknown as TransferResult };
}

function transfers(
  cells: readonly { factors?: FactorLevels; rates: readonly number[] }[],
  more = (entry: Cell): Cell => entry,
) {
  return runOf(
    cells.map(({ factors = { operation: 'get' }, rates }) => ({
      factors,
      mediansUs: rates.map(() => 1),
      change: (entry, repetition) => more(transfer(entry, rates[repetition - 1] as number)),
    })),
  );
}

/**
 * A host of as many cores as runs have here, without idle time; service and generator used this much of two of them.
 */
function busyBy(percentOfTwo: number): (entry: Cell) => Cell {
  const cpuPercent = (percentOfTwo / 4) * exampleRecord().environment.cores;
  const resources = { service: { cpuPercent }, generator: { cpuPercent }, host: { idlePercent: 0, cpuPercent: 100 } };
  return (entry) => saturated({ ...entry, resources });
}

/** All ways to choose n of these. */
function choices<T>(from: readonly T[], n: number): T[][] {
  if (n === 0) return [[]];
  return from.flatMap((first, at) => choices(from.slice(at + 1), n - 1).map((rest) => [first, ...rest]));
}

/** Mann–Whitney by counting: how often the U of any split of the figures is as far out. No ties. */
function countedPValue(from: readonly number[], to: readonly number[]): number {
  const uOf = (a: readonly number[], b: readonly number[]): number => a.flatMap((x) => b.filter((y) => y < x)).length;
  const all = [...from, ...to];
  const middle = (from.length * to.length) / 2;
  const splits = choices(all, from.length).map((a) =>
    uOf(
      a,
      all.filter((one) => !a.includes(one)),
    ),
  );
  const seen = Math.abs(uOf(from, to) - middle);
  return splits.filter((u) => Math.abs(u - middle) >= seen).length / splits.length;
}

const before = [801, 835, 790, 812, 846, 823];
const after = [713, 742, 699, 757, 728, 735];

describe('the throughput of transfers', () => {
  test('is what runs of them are compared by: the median ratio of all pairs, with the p-value that counting gives', () => {
    const { metric, cells } = compareRuns(transfers([{ rates: before }]), transfers([{ rates: after }]));
    expect(metric).toMatchObject({ name: 'flight.megabytesPerSecond', better: 'higher' });
    const ratios = before.flatMap((from) => after.map((to) => to / from)).sort((a, b) => a - b);
    // 36 ratios: the two in the middle, on a logarithmic scale; and those that cut off 2.5% of all splits on either
    // side (U ≤ 5).
    const middle = Math.sqrt((ratios[17] as number) * (ratios[18] as number));
    expect(cells[0]?.differencePercent).toBeCloseTo(100 * (middle - 1), 9);
    expect(cells[0]?.intervalPercent[0]).toBeCloseTo(100 * ((ratios[5] as number) - 1), 9);
    expect(cells[0]?.intervalPercent[1]).toBeCloseTo(100 * ((ratios[30] as number) - 1), 9);
    expect(cells[0]?.pValue).toBeCloseTo(countedPValue(before, after), 12);
    expect(cells[0]).toMatchObject({ baseline: 817.5, candidate: 731.5, verdict: 'slower' });
    expect(compareRuns(transfers([{ rates: after }]), transfers([{ rates: before }])).cells[0]?.verdict).toBe('faster');
  });

  test('is compared between levels of a run, and rows per second and first batches on request', () => {
    const run = transfers([
      { factors: { streams: 1 }, rates: before },
      { factors: { streams: 4 }, rates: after },
    ]);
    expect(compareWithin(run, 'streams').cells).toMatchObject([
      { metric: 'flight.megabytesPerSecond', verdict: 'slower' },
    ]);
    const [rows] = compareWithin(run, 'streams', { metric: 'rowsPerSecond' }).cells;
    expect(rows).toMatchObject({ baseline: 817.5e6 / 32, metric: 'flight.rowsPerSecond', verdict: 'slower' });
    expect(compareWithin(run, 'streams', { metric: 'flight.firstBatch' }).cells[0]).toMatchObject({
      baseline: 700,
      metric: 'flight.firstBatch.median',
      difference: 0,
    });
  });

  test('is compared on a host that it saturates itself, with a note: nothing queues there', () => {
    const slow = transfers([{ rates: after }], busyBy(180));
    const { cells, notes } = compareRuns(transfers([{ rates: before }]), slow);
    expect(cells[0]).toMatchObject({ verdict: 'slower', saturated: true });
    expect(notes).toEqual(['the host was saturated in 1 cell: its throughput is that of both ends together']);
    const judged = gate(slow, transfers([{ rates: before }]), [parseThreshold('MB/s > -5%')]);
    expect(judged).toMatchObject({ verdict: 'failed', notes });
    const firstBatch = compareRuns(transfers([{ rates: before }]), slow, { metric: 'flight.firstBatch.median' });
    expect(firstBatch.cells[0]).toMatchObject({
      verdict: 'cannot tell',
      reason: expect.stringContaining('one of its queue'),
    });
  });

  test('is not compared on a host that others saturate: four fifths of its time must be that of both ends', () => {
    const beside = transfers([{ rates: after }], busyBy(150));
    const { cells, notes } = compareRuns(transfers([{ rates: before }]), beside);
    expect(cells[0]).toMatchObject({
      verdict: 'cannot tell',
      reason: 'the host was saturated, and by other work than what was measured',
    });
    expect(notes).toEqual([]);
    const judged = gate(beside, transfers([{ rates: before }]), [parseThreshold('MB/s > -5%')]);
    expect(judged.verdict).toBe('cannot tell');
    expect(judged.notes).toEqual(['the host was saturated in 1 cell: relative thresholds leave it out']);
  });

  test.each([
    [0.9, 'failed'],
    [0.99, 'passed'],
    [1.3, 'passed'],
  ])('at %f of the baseline a gate that forbids to lose 5%% has %s', (factor, verdict) => {
    const even = [1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007];
    const candidate = transfers([{ rates: even.map((rate) => rate * factor) }]);
    const result = gate(candidate, transfers([{ rates: even }]), [parseThreshold('flight.megabytesPerSecond > -5%')]);
    expect(result.verdict).toBe(verdict);
    expect(result.thresholds[0]?.pooled?.differencePercent).toBeCloseTo(100 * (factor - 1), 9);
  });

  test.each([
    ['flight.megabytesPerSecond > 700', 700],
    ['MB/s >= 700MB/s', 700],
    ['megabytesPerSecond > 0.7 GB/s', 700],
    ['flight.megabytesPerSecond > 100MiB/s', 104.8576],
    ['flight.rowsPerSecond > 20000000', 2e7],
  ])('is bounded as in %s', (text, limit) => {
    const threshold = parseThreshold(text);
    expect(threshold).toMatchObject({ kind: 'absolute' });
    expect(threshold.limit).toBeCloseTo(limit, 9);
    expect(gate(transfers([{ rates: before }]), undefined, [threshold]).verdict).toBe('passed');
  });

  test.each(['700ms', '700Mbit/s', '700 MB', 'much'])('is not bounded by %s', (value) => {
    expect(() => parseThreshold(`flight.megabytesPerSecond > ${value}`)).toThrow(
      /expects a rate such as 500MB\/s or a change/,
    );
  });

  test('is suggested for runs without round trips', () => {
    expect(() =>
      compareRuns(transfers([{ rates: before }]), transfers([{ rates: after }]), { metric: 'rtt.median' }),
    ).toThrow(expect.objectContaining({ hint: 'runs like these have flight.megabytesPerSecond' }));
  });

  test('is no figure of other runs; the error names the place to look', () => {
    expect(() => compareRuns(cellRun([1, 2]), cellRun([1, 2]), { metric: 'MB/s' })).toThrow(
      expect.objectContaining({ code: 'TB_METRIC_UNKNOWN', message: 'no repetition has flight.megabytesPerSecond' }),
    );
    expect(formatValue(1234.5, metrics.named('MB/s').unit)).toBe('1235 MB/s');
  });
});

describe('the successes per second of a store', () => {
  const stores = (factors: FactorLevels, rates: readonly number[]) =>
    runOf([
      {
        factors,
        mediansUs: rates.map(() => Number.NaN),
        change: (entry, repetition) => {
          const stored: StoreEntry = {
            ...entry,
            responseTime: { ...entry.responseTime, medianUs: 1e6 / (rates[repetition - 1] as number) },
            persistence: { successRps: rates[repetition - 1] } as NonNullable<StoreEntry['persistence']>,
          };
          return busyBy(190)(stored);
        },
      },
    ]);

  test('are compared on a saturated host where clients wait for their answers, and not where requests come at a rate', () => {
    const compared = (factors: FactorLevels) =>
      compareRuns(stores(factors, before), stores(factors, after), { metric: 'persistence.successRps' }).cells[0];
    expect(compared({ store: 'document', connections: 10 })).toMatchObject({ verdict: 'slower', baseline: 817.5 });
    expect(compared({ store: 'document', rate: 500 })).toMatchObject({ verdict: 'cannot tell' });
  });

  test('have to be named: by default, stores are compared by their response time', () => {
    const [from, to] = [stores({ connections: 10 }, before), stores({ connections: 10 }, after)];
    expect(compareRuns(from, to).metric.name).toBe('responseTime.median');
  });
});
