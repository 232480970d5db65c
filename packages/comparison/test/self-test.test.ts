/** What a self-test promises of gates here, against fresh gates on pairs of known truth. */
import { type RunFolder, randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { gate } from '../src/gate.ts';
import { selfTest } from '../src/self-test.ts';
import { parseThreshold } from '../src/threshold.ts';
import { noisy } from './fixtures/noise.ts';
import { invalid, runOf } from './fixtures/run-of.ts';

const slower5 = parseThreshold('rtt.median < +5%');
const slower20 = parseThreshold('rtt.median < +20%');

interface Truth {
  pairs: number;
  spread: number;
  /** Candidate / baseline, for each cell. */
  ratios: readonly number[];
}

/** Pairs whose figures have independent noise. */
function sides(seed: number, { pairs, spread, ratios }: Truth): { baseline: RunFolder; candidate: RunFolder } {
  const side = (name: 'baseline' | 'candidate'): RunFolder =>
    runOf(
      ratios.map((ratio, rate) => ({
        factors: { architecture: 'sidecar', rate },
        mediansUs: noisy(
          randomStream(seed, name, rate),
          1000 * (name === 'candidate' ? ratio : 1),
          spread / Math.SQRT2,
          pairs,
        ),
      })),
      { sideBySide: { id: String(seed), side: name, ref: name } },
    );
  return { baseline: side('baseline'), candidate: side('candidate') };
}

function tested(truth: Truth, thresholds = [slower5], maxPairs = 20, gates = 40) {
  const { baseline, candidate } = sides(1, truth);
  return selfTest(baseline, candidate, { thresholds, maxPairs, gates, seed: 1 });
}

/** Share of fresh gates of so many pairs that fail a candidate which is slower by so much in every cell. */
function shareFailing(changePercent: number, pairs: number, spread: number): number {
  const gates = 100;
  const failed = Array.from({ length: gates }, (_, at) => {
    const { baseline, candidate } = sides(100 + at, { pairs, spread, ratios: [1 + changePercent / 100] });
    return gate(candidate, baseline, [slower5]).verdict === 'failed';
  });
  return failed.filter(Boolean).length / gates;
}

describe('a self-test of equal sides', () => {
  it('finds a change that nine of ten fresh gates find as well, and hardly more than the limit where pairs agree', () => {
    const {
      rows: [row],
    } = tested({ pairs: 40, spread: 0.04, ratios: [1] });
    expect(row?.detectablePercent).toBeGreaterThan(5);
    expect(shareFailing(row?.detectablePercent ?? 0, row?.pairs.median ?? 0, 0.04)).toBeGreaterThanOrEqual(0.75);
    expect(shareFailing((row?.detectablePercent ?? 0) / 2, row?.pairs.median ?? 0, 0.04)).toBeLessThan(0.5);
    const [quiet] = tested({ pairs: 40, spread: 0.002, ratios: [1] }).rows;
    expect(quiet?.detectablePercent).toBeLessThan(6.5);
  });

  it('counts no false alarm where pairs agree, and gates that cannot tell where they do not', () => {
    const [quiet] = tested({ pairs: 30, spread: 0.01, ratios: [1] }).rows;
    expect(quiet).toMatchObject({ gates: 40, falseAlarms: 0, undecided: 0, pairs: { median: 8 } });
    const [noisyRow] = tested({ pairs: 30, spread: 0.3, ratios: [1] }, [slower5], 10).rows;
    expect(noisyRow?.undecided).toBeGreaterThan(33);
    expect(noisyRow?.pairs).toEqual({ median: 10, p90: 10 });
    expect(noisyRow?.detectablePercent).toBeGreaterThan(20);
  });

  it('takes fewer pairs for a larger threshold', () => {
    const { rows } = tested({ pairs: 40, spread: 0.08, ratios: [1] }, [slower5, slower20], 40);
    expect(rows.map(({ threshold }) => threshold)).toEqual(['rtt.median < +5%', 'rtt.median < +20%']);
    expect(rows[1]?.pairs.median).toBeLessThan(rows[0]?.pairs.median as number);
  });

  it('shows a lasting difference of the sides, which the drawn gates do not contain', () => {
    const { metrics, rows } = tested({ pairs: 30, spread: 0.01, ratios: [1.08] });
    const [{ differencePercent, intervalPercent }] = metrics as [(typeof metrics)[number]];
    expect(differencePercent).toBeCloseTo(8, 0);
    expect(intervalPercent[0]).toBeGreaterThan(5);
    expect(rows[0]?.falseAlarms).toBe(0);
  });

  it('distinguishes a change of one cell from a change of all', () => {
    const [row] = tested({ pairs: 30, spread: 0.05, ratios: [1, 1, 1, 1] }, [slower5], 12, 40).rows;
    expect(row?.oneCellPercent).toBeGreaterThan(row?.detectablePercent as number);
    expect(tested({ pairs: 30, spread: 0.05, ratios: [1] }).rows[0]).not.toHaveProperty('oneCellPercent');
  });

  it('names a metric without figures', () => {
    const { baseline, candidate } = sides(1, { pairs: 12, spread: 0.02, ratios: [1] });
    const options = { thresholds: [parseThreshold('cpuUsPerRequest.absent < +5%')], maxPairs: 12, gates: 10, seed: 1 };
    expect(() => selfTest(baseline, candidate, options)).toThrow(/there is no metric "cpuUsPerRequest\.absent"/);
  });

  it('leaves out rounds without a valid pair, and names the reason when too few are left', () => {
    const truth = { pairs: 12, spread: 0.02, ratios: [1] };
    const { baseline, candidate } = sides(1, truth);
    const broken = (from: number): RunFolder => ({
      ...candidate,
      cells: candidate.cells.map((entry) => (entry.repetition >= from ? invalid(entry) : entry)),
    });
    const options = { thresholds: [slower5], maxPairs: 12, gates: 10, seed: 1 };
    expect(selfTest(baseline, broken(11), options)).toMatchObject({ rounds: 12, validRounds: 10 });
    expect(() => selfTest(baseline, broken(6), options)).toThrow(/5 of 12 pairs are valid, expected 8 or more/);
  });
});
