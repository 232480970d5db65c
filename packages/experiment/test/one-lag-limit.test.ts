import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import type { MeasuredRepetition } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { applyOneLagLimit, withOneLagLimit } from '../src/one-lag-limit.ts';
import { type Lagging, laggingEntry } from './fixtures/lagging-entry.ts';

const none = { architecture: 'none', rate: 100 };
const sidecar = { architecture: 'sidecar', rate: 100 };
const central = { architecture: 'central-entity', rate: 100 };
const cells: FactorLevels[] = [none, sidecar, central, { ...none, rate: 500 }, { ...sidecar, rate: 500 }];
const comparison = { cells, smallestDifference: 0.05, interval: 'rtt' as const };

const held = (...entries: Cell[]): Cell[] => applyOneLagLimit(entries, comparison);
const valid = (entries: readonly Cell[]): boolean[] => entries.map(({ validity }) => validity.valid);
const limits = (entries: readonly Cell[]): (number | undefined)[] =>
  entries.map(({ validity }) => validity.lagLimit?.p99Us);

describe('repetitions that are compared', () => {
  const lag = { p99Us: 3000, meanUs: 500 };
  const fast = laggingEntry(none, { medianUs: 20_000, ...lag });
  const slow = laggingEntry(sidecar, { medianUs: 50_000, ...lag });

  it('are invalid at the same lag, fast or slow, although 10% of the slow median is more', () => {
    expect(valid([fast, slow])).toEqual([false, true]);
    const judged = held(fast, slow);
    expect(valid(judged)).toEqual([false, false]);
    expect(limits(judged)).toEqual([2000, 2000]);
    expect(judged[1]?.validity).toMatchObject({
      reasons: [expect.stringMatching(/^scheduler lag p99 3 ms .* smallest compared median 20 ms$/)],
      onlyLate: true,
    });
    expect(judged[0]).toBe(fast);
  });

  it('are valid if the mean lag is a tenth of the smallest difference, even with some very late requests', () => {
    const harmless = { p99Us: 30_000, meanUs: 100 };
    expect(
      valid(
        held(
          laggingEntry(none, { medianUs: 20_000, ...harmless }),
          laggingEntry(sidecar, { medianUs: 50_000, ...harmless }),
        ),
      ),
    ).toEqual([true, true]);
    const harmful = { p99Us: 30_000, meanUs: 101 };
    expect(
      valid(
        held(
          laggingEntry(none, { medianUs: 20_000, ...harmful }),
          laggingEntry(sidecar, { medianUs: 50_000, ...harmful }),
        ),
      ),
    ).toEqual([false, false]);
    const [strict] = applyOneLagLimit([laggingEntry(none, { medianUs: 20_000, ...harmless })], {
      cells,
      smallestDifference: 0.04,
      interval: 'rtt',
    });
    expect(strict?.validity.valid).toBe(false);
  });

  it('in turns are valid where they are late alike: both are, or neither', () => {
    const inTurns = (meanUs: number, medianUs: number, levels = 2): Cell => {
      const entry = laggingEntry(none, { medianUs, p99Us: 30_000, meanUs });
      const turns = { levels, sliceUs: 500_000, gapUs: 100_000, lagErrorUs: 50 };
      return { ...entry, startedAt: '2026-01-01T10:00:00.000Z', offeredRps: 100, turns };
    };
    const alike = held(inTurns(2400, 20_000), inTurns(2000, 50_000));
    expect(valid(alike)).toEqual([true, true]);
    expect(alike.map(({ validity }) => validity.flags)).toEqual([['late'], ['late']]);
    // More than half of the smallest difference, 5% of 20 ms, lies between their means.
    const apart = held(inTurns(2400, 20_000), inTurns(1899, 50_000));
    expect(valid(apart)).toEqual([false, false]);
    expect(apart[1]?.validity.lagLimit).toMatchObject({ differenceUs: 500, differsByUs: 501 });
    // Judged again with another one, the same entry is valid.
    expect(valid(held(apart[0] as Cell, inTurns(2400, 50_000)))).toEqual([true, true]);
    expect(valid(held(inTurns(2501, 20_000), inTurns(2501, 50_000)))).toEqual([false, false]);
    // Cells of another load are no partners, whatever is compared.
    const elsewhere = { ...inTurns(900, 20_000), startedAt: '2026-01-01T10:01:00.000Z' };
    expect(valid(held(inTurns(2400, 20_000), elsewhere))).toEqual([true, true]);
    // A load of one level has no turns of others.
    expect(valid(held(inTurns(101, 20_000, 1), inTurns(101, 50_000, 1)))).toEqual([false, false]);
  });

  it('have one limit per comparison: another rate has its own smallest median', () => {
    const other = laggingEntry({ ...sidecar, rate: 500 }, { medianUs: 50_000, ...lag });
    const judged = held(fast, slow, other);
    expect(limits(judged)).toEqual([2000, 2000, 5000]);
    expect(judged[2]).toBe(other);
  });

  it('get equal verdicts for equal medians, and new ones when a median changes', () => {
    const once = held(fast, slow);
    expect(held(...once).map((entry, at) => entry === once[at])).toEqual([true, true]);
    const slower = laggingEntry(none, { medianUs: 40_000 });
    expect(held(slower, once[1] as Cell)[1]).toEqual({
      ...slow,
      validity: { ...slow.validity, lagLimit: { p99Us: 4000, meanUs: 200 } },
    });
  });

  it('use the median of a cell only if it is valid apart from its lag', () => {
    const broken = laggingEntry(central, { medianUs: 100, wrongDecisions: 1 });
    expect(limits(held(slow, broken))).toEqual([5000, 1000]);
    expect(valid(held(slow, broken))).toEqual([true, false]);
    const late = laggingEntry(central, { medianUs: 100, p99Us: 3000, meanUs: 500 });
    expect(limits(held(slow, late))).toEqual([1000, 1000]);
  });

  it('have a separate limit on a saturated host: their times are compared separately', () => {
    const saturated = (factors: FactorLevels, medianUs: number) =>
      laggingEntry(factors, { medianUs, idlePercent: 1, ...lag });
    const judged = held(fast, saturated(sidecar, 3e6), saturated(central, 4e6));
    expect(limits(judged)).toEqual([2000, 300_000, 300_000]);
    expect(valid(judged)).toEqual([false, true, true]);
  });

  it('use the limit of the fast ones even if most requests never finished', () => {
    const endless = laggingEntry(sidecar, { medianUs: Number.POSITIVE_INFINITY, ...lag });
    expect(valid([endless])).toEqual([true]);
    expect(limits(held(fast, endless))).toEqual([2000, 2000]);
    expect(valid(held(fast, endless))).toEqual([false, false]);
    const nothing = laggingEntry(sidecar, { medianUs: Number.NaN, ...lag });
    expect(limits(held(fast, nothing))).toEqual([2000, 2000]);
    expect(limits(held(nothing))).toEqual([1000]);
  });

  it('use response times if a store has no round-trip time', () => {
    const store = (entry: Cell): Cell => ({
      ...entry,
      rtt: { ...entry.rtt, medianUs: Number.NaN },
      responseTime: { ...entry.responseTime, medianUs: entry.rtt.medianUs },
    });
    const ofStores = { ...comparison, interval: 'responseTime' as const };
    expect(limits(applyOneLagLimit([store(fast), store(slow)], ofStores))).toEqual([2000, 2000]);
  });

  it('are unchanged without a recorded limit: closed model, transfers, older results, failures', () => {
    const { lagLimit: _, ...older } = slow.validity;
    const entry = { ...slow, validity: older };
    expect(held(fast, entry)[1]).toBe(entry);
  });
});

describe('another fault', () => {
  const pair = (lagging: Partial<Lagging>): Cell['validity'] | undefined =>
    held(
      laggingEntry(none, { medianUs: 5000 }),
      laggingEntry(sidecar, { medianUs: 50_000, p99Us: 3000, meanUs: 500, ...lagging }),
    )[1]?.validity;

  it('stays, and prevents a remeasurement', () => {
    const validity = pair({ wrongDecisions: 1 });
    expect(validity?.reasons).toEqual([expect.stringMatching(/^scheduler lag/), '1 wrong decision']);
    expect(validity?.onlyLate).toBeUndefined();
  });

  it('stays: requests of another second are late, too', () => {
    const validity = pair({ sentInTime: 8 });
    expect(validity?.reasons).toEqual([expect.stringMatching(/^scheduler lag/), 'second 1: sent 8, scheduled 10']);
    expect(validity?.onlyLate).toBe(true);
  });

  it('stays after the lag is within the limit', () => {
    const late = laggingEntry(sidecar, { medianUs: 5000, p99Us: 3000, meanUs: 500, sentInTime: 8, wrongDecisions: 1 });
    expect(late.validity.reasons).toHaveLength(3);
    const [judged] = held({ ...late, rtt: { ...late.rtt, medianUs: 50_000 } });
    expect(judged?.validity.reasons).toEqual(['second 1: sent 8, scheduled 10', '1 wrong decision']);
    expect(judged?.validity.valid).toBe(false);
  });

  it('includes the scheduling delay of a generator without priority, which would recur', () => {
    const waiting = { idlePercent: 1, realTimePriority: false, p99Us: 3000, meanUs: 500 };
    const [, judged] = held(
      laggingEntry(none, { medianUs: 5000, ...waiting }),
      laggingEntry(sidecar, { medianUs: 50_000, ...waiting }),
    );
    expect(judged?.validity).toMatchObject({ valid: false, flags: ['host-saturated'] });
    expect(judged?.validity.onlyLate).toBeUndefined();
  });
});

it('both sides of a pair have one limit, though their levels are equal', () => {
  const lag = { p99Us: 3000, meanUs: 500 };
  const sides = [20_000, 50_000].map(
    (medianUs): MeasuredRepetition => ({
      entry: laggingEntry(none, { medianUs, ...lag }),
      samples: [],
      requests: [],
      spans: [],
    }),
  );
  expect(valid(sides.map(({ entry }) => entry))).toEqual([false, true]);
  const judged = withOneLagLimit(sides, { cells: [none], smallestDifference: 0.05, interval: 'rtt' as const }).map(
    ({ entry }) => entry,
  );
  expect(valid(judged)).toEqual([false, false]);
  expect(limits(judged)).toEqual([2000, 2000]);
});
