import { parseThreshold } from '@topo-bench/comparison';
import type { RunFolder } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import type { Sides } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { exampleCell, exampleRecord } from '../../../results/test/fixtures/example-record.ts';
import { isEnough, progressOf, stopNotes, stopOf } from '../../src/gate/progress.ts';

const factors = { architecture: 'sidecar' };
const thresholds = [parseThreshold('rtt.median < +5%')];
const valid = { valid: true, reasons: [], flags: [] };
const late = { valid: false, reasons: ['scheduler lag p99 1.6 ms'], flags: [], onlyLate: true as const };
const dead = { valid: false, reasons: ['died during the repetition: pricing'], flags: [] };

/** @param change candidate / baseline of each pair */
function sidesOf(
  change: readonly number[],
  validity: (pair: number) => Cell['validity'] = () => valid,
  more: Partial<Cell> = {},
): Sides<RunFolder> {
  const side = (name: 'baseline' | 'candidate', factor: (pair: number) => number): RunFolder => ({
    folder: name,
    record: exampleRecord({
      plannedCells: [factors],
      repetitions: change.length,
      sideBySide: { id: 'one', side: name, ref: name },
    }),
    cells: change.map((_, at) => {
      const entry = exampleCell(factors, at + 1);
      const rtt = { ...entry.rtt, medianUs: 10_000 * factor(at) };
      return { ...entry, ...more, rtt, validity: name === 'candidate' ? validity(at) : valid };
    }),
  });
  return { baseline: side('baseline', () => 1), candidate: side('candidate', (at) => change[at] as number) };
}

const equal = (pairs: number) => Array.from({ length: pairs }, (_, at) => 1 + (at % 3) / 1000);
const time = { seconds: 90, roundSeconds: 10 };
const progress = (...given: Parameters<typeof sidesOf>) => progressOf(sidesOf(...given), thresholds, time);

describe('a gate of pairs', () => {
  it('has enough pairs for their spread, whichever side is slower', () => {
    const [same, slower] = [progress(equal(9)), progress(equal(9).map((change) => change * 3))];
    expect([isEnough(same), isEnough(slower)]).toEqual([true, true]);
    expect(stopNotes(same, 300)).toEqual(['stopped after 1:30: 9 pairs were enough for their spread']);
  });

  it('continues while pairs are merely late, however many', () => {
    const seen = progress(equal(12), () => late);
    expect([isEnough(seen), stopOf(seen).reason]).toEqual([false, 'max-time']);
    expect(stopNotes(seen, 95)).toEqual([
      'stopped after 1:30 of 1:35: another pair would have ended later; 0 of 12 pairs are valid, others are not: ' +
        'scheduler lag p99 1.6 ms; a free core for the load generator is needed, or a lower rate',
    ]);
  });

  it('names no remedy of the machine where requests fail, and the time of a first pair that took longer than allowed', () => {
    const failing: Cell['validity'] = {
      ...{ valid: false, reasons: ['15 errors in 16 requests'], flags: [] },
      why: [{ kind: 'errors', errors: 15, requests: 16, maxShare: 0 }],
    };
    expect(
      stopNotes(
        progress(equal(1), () => failing),
        60,
      ),
    ).toEqual([
      'stopped after one pair, which took 1:30 of the 1:00 allowed; ' +
        '0 of 1 pair is valid, others are not: 15 errors in 16 requests',
    ]);
  });

  it('gives up after three pairs in a row that are invalid for another reason', () => {
    expect(isEnough(progress(equal(4), (pair) => (pair > 1 ? dead : valid)))).toBe(false);
    const seen = progress(equal(5), (pair) => (pair > 1 ? dead : valid));
    expect([isEnough(seen), stopOf(seen).reason]).toEqual([true, 'invalid pairs']);
    expect(stopNotes(seen, 300)[0]).toContain(
      '2 of 5 pairs are valid, others are not: died during the repetition: pricing',
    );
  });

  it('names the time that the pairs need, if as many are valid as so far', () => {
    const [note] = stopNotes(
      progress(equal(6), (pair) => (pair < 4 ? valid : late)),
      95,
    );
    // Eight pairs are needed, of which two in three are valid: twelve pairs of 15 s, and the longest once more.
    expect(note).toContain('4 of 6 pairs are valid');
    expect(note).toContain('for this spread about 8 are needed: --max-time 4m');
  });

  it('names what needs fewer pairs where their spread needs hours', () => {
    const [note] = stopNotes(progress([1, 1.4, 0.8, 1, 1.3, 0.7, 1, 1.5]), 95);
    expect(note).toMatch(/about \d+ are needed, which takes [\d h]+min: a larger threshold or a quieter machine needs/);
  });

  it('reports the slices that both sides lost to lateness', () => {
    const leftOut = { slices: 1, ofSlices: 10, requests: 100 };
    const turns = { levels: 2, sliceUs: 500_000, gapUs: 100_000, leftOut };
    const outcomes = { completed: 900, refused: 0, error: 0, unfinished: 0 };
    expect(
      stopNotes(
        progress(equal(9), () => valid, { turns, outcomes }),
        300,
      )[1],
    ).toBe('in 9 pairs, slices with late requests are left out on both sides: 10% of the requests');
  });
});
