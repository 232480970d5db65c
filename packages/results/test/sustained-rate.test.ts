import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import { summarise } from '@topo-bench/stats';
import { describe, expect, it } from 'vitest';
import { sustainedRates } from '../src/sustained-rate.ts';
import { type RepetitionMeasurement, validityOf } from '../src/validity.ts';

const condition = { text: 'p95<50ms', of: 'responseTime', statistic: 'p95Us', boundUs: 50_000 } as const;
const good: Cell['validity'] = { valid: true, reasons: [], flags: [] };

function repetitions(
  rate: number,
  valuesMs: readonly number[],
  validity: (at: number) => Cell['validity'] = () => good,
) {
  return valuesMs.map(
    (ms, at) =>
      ({
        factors: { architecture: 'sidecar', rate },
        repetition: at + 1,
        responseTime: { ...summarise([1]), p95Us: ms * 1e3 },
        schedulerLag: summarise([20]),
        validity: validity(at),
      }) as unknown as Cell,
  );
}

function ratesOf(...cells: Cell[][]) {
  const planned = cells.map(([cell]) => cell?.factors as FactorLevels);
  const [line] = sustainedRates(condition, planned, cells.flat());
  return { low: line?.lowRps, high: line?.highRps, verdicts: line?.rates.map(({ verdict }) => verdict) };
}

describe('a sustained rate', () => {
  it('lies between the highest rate shown to meet the condition and the lowest shown to fail', () => {
    const found = ratesOf(
      repetitions(90, [60, 61, 70, 80, 90, 51]),
      repetitions(80, [40, 41, 42, 49, 30, 20]),
      repetitions(100, [200, 201, 202, 203, 204, 205]),
    );
    expect(found).toEqual({ low: 80, high: 90, verdicts: ['met', 'failed', 'failed'] });
  });

  it('needs six repetitions, all on one side of the bound', () => {
    expect(ratesOf(repetitions(80, [1, 2, 3, 4, 5])).verdicts).toEqual(['open']);
    expect(ratesOf(repetitions(80, [1, 2, 3, 4, 5, 51])).verdicts).toEqual(['open']);
    // Nine repetitions bear one on the other side (sign test).
    expect(ratesOf(repetitions(80, [1, 2, 3, 4, 5, 6, 7, 8, 51])).verdicts).toEqual(['met']);
  });

  it('is not above a rate that is open', () => {
    const found = ratesOf(repetitions(80, [40, 60, 40, 60, 40, 60]), repetitions(90, [1, 2, 3, 4, 5, 6]));
    expect(found).toMatchObject({ low: undefined, high: undefined });
  });

  it('fails where a prediction is unstable, and is open near capacity, whatever the simulated times are', () => {
    const predicted = (rate: number, state: string) =>
      repetitions(rate, [1, 2, 3, 4, 5, 6]).map((cell) => ({ ...cell, prediction: { state } }) as unknown as Cell);
    const found = ratesOf(predicted(80, 'stable'), predicted(90, 'near-capacity'), predicted(100, 'unstable'));
    expect(found).toEqual({ low: 80, high: 100, verdicts: ['met', 'open', 'failed'] });
  });

  it('counts a load that was not borne as failed, as it is measured at the in-flight cap', () => {
    const seconds = Array.from({ length: 10 }, (_, at) => ({ scheduled: 2000, sent: at === 6 ? 1601 : 2000 }));
    const facts: RepetitionMeasurement = {
      schedule: { scheduled: 20_000, sent: 19_601, perSecond: seconds },
      schedulerLag: { p99Us: 400, meanUs: 20, smallestDifference: 0.05 },
      medianRttUs: 2e6,
      generatorUtilizations: [0.3],
      inFlight: { cap: 4000, refused: 399 },
      wrongDecisions: 0,
      errors: {},
      requests: 20_000,
      maxErrorShare: 0,
      deadRoles: [],
      unfinished: 0,
    };
    const capped = validityOf(facts);
    expect(capped.reasons).toHaveLength(3);
    const six = [1, 1, 1, 1, 1, 1];
    expect(ratesOf(repetitions(2000, six, () => capped)).verdicts).toEqual(['failed']);
    const dead = validityOf({ ...facts, deadRoles: ['pricing'] });
    expect(ratesOf(repetitions(2000, six, () => dead)).verdicts).toEqual(['open']);
  });

  it('counts a late repetition that fails against either verdict', () => {
    const late = { valid: false, reasons: ['scheduler lag'], flags: [], onlyLate: true as const };
    const lateFrom = (first: number) => (at: number) => (at >= first ? late : good);
    expect(ratesOf(repetitions(80, [1, 1, 1, 1, 1, 1], () => late)).verdicts).toEqual(['met']);
    expect(ratesOf(repetitions(80, [60, 60, 60, 60, 60, 60], () => late)).verdicts).toEqual(['open']);
    expect(ratesOf(repetitions(80, [60, 60, 60, 60, 60, 60, 60], lateFrom(6))).verdicts).toEqual(['open']);
    // Six of seven meet the condition; the sign test needs all seven.
    expect(ratesOf(repetitions(80, [1, 1, 1, 1, 1, 1, 60], lateFrom(3))).verdicts).toEqual(['open']);
  });

  it('leaves out a repetition that has no information about the system', () => {
    const dead = { valid: false, reasons: ['died during the repetition: pricing'], flags: [] };
    expect(ratesOf(repetitions(80, [60, 60, 60, 60, 60, 60], () => dead)).verdicts).toEqual(['open']);
  });
});
