import type { FittedCell } from '@topo-bench/core/schema/calibration';
import type { RegisteredCell } from '@topo-bench/core/schema/predictions';
import type { Cell } from '@topo-bench/core/schema/result';
import { describe, expect, it } from 'vitest';
import { baselinesOf, judgePredictions } from '../../src/predictions/index.ts';

const registered = (architecture: string, medianUs: number, more: Partial<RegisteredCell> = {}): RegisteredCell => ({
  factors: { architecture },
  predicted: { medianUs, p95Us: null, cpuUs: 1000 },
  ...{ busyShare: 0.3, baselines: {}, ...more },
});
const measured = (architecture: string, medianUs: number, cpuUs = 1000): Cell =>
  ({ factors: { architecture }, rtt: { medianUs, p95Us: 1 }, cpuUsPerRequest: { total: cpuUs } }) as unknown as Cell;
const runs = (architecture: string, ...us: number[]): Cell[] => us.map((one) => measured(architecture, one));

describe('judged predictions', () => {
  it('are off from the median of the repetitions, next to what a repetition is off from the others', () => {
    const { cells, summaries } = judgePredictions([registered('none', 130)], runs('none', 90, 100, 120));
    const value = cells[0]?.values.medianUs;
    expect(value).toMatchObject({ measuredUs: 100, repetitions: 3 });
    expect(value?.error).toBeCloseTo(0.3, 10);
    // 90 against 110, 100 against 105, 120 against 95: 18.2%, 4.8%, 26.3%.
    expect(value?.floor).toBeCloseTo(1 - 90 / 110, 10);
    expect(summaries.medianUs?.ratio).toBeCloseTo(0.3 / (1 - 90 / 110), 10);
    expect(summaries.p95Us).toBeUndefined();
  });

  it('count repetitions in their interval, and state what simple rules are off', () => {
    const intervals = { medianUs: [95, 110], p95Us: [0, 1], cpuUs: [0, 1] } as RegisteredCell['intervals'];
    const baselines = {
      nearest: { medianUs: 150, p95Us: 1, cpuUs: 1 },
      mm1: { medianUs: null, p95Us: null, cpuUs: 1 },
    };
    const { summaries } = judgePredictions(
      [registered('none', 130, { intervals, baselines } as Partial<RegisteredCell>)],
      runs('none', 90, 100, 120),
    );
    expect(summaries.medianUs?.coverage).toBeCloseTo(1 / 3, 10);
    expect(summaries.medianUs?.baselines).toEqual({ nearest: expect.closeTo(0.5, 10) });
  });

  it('order architectures only where no repetitions overlap, and there are three of each', () => {
    const entries = [
      ...runs('none', 90, 100, 110),
      ...runs('sidecar', 120, 130, 140),
      ...runs('central-entity', 105, 125, 150),
    ];
    const order = (sidecar: number) =>
      judgePredictions(
        [registered('none', 100), registered('sidecar', sidecar), registered('central-entity', 120)],
        entries,
      ).order;
    expect(order(110)).toEqual({ right: 1, pairs: 1 });
    expect(order(90)).toEqual({ right: 0, pairs: 1 });
    expect(judgePredictions([registered('none', 1), registered('sidecar', 2)], entries.slice(0, 5)).order.pairs).toBe(
      0,
    );
  });

  it('leave busy cells out of the summary, and keep their values', () => {
    const { cells, summaries } = judgePredictions([registered('none', 130, { busyShare: 0.9 })], runs('none', 100));
    expect(summaries.medianUs).toBeUndefined();
    expect(cells[0]?.values.medianUs?.error).toBeCloseTo(0.3, 10);
  });
});

describe('p99', () => {
  const of = (count: number, p99Us: number): Cell =>
    ({ factors: { architecture: 'none' }, rtt: { medianUs: 100, p95Us: 200, p99Us, count } }) as unknown as Cell;
  const entry = (...cells: Cell[]) => cells.map((one) => ({ ...one, cpuUsPerRequest: { total: 1 } }) as Cell);
  const predicted = { medianUs: 100, p95Us: 200, p99Us: 330, cpuUs: 1 };

  it('is judged with its error and floor, and with no interval', () => {
    const intervals = { medianUs: [0, 1e9], p95Us: [0, 1e9], cpuUs: [0, 1e9] } as RegisteredCell['intervals'];
    const cell = registered('none', 100, { predicted, intervals } as Partial<RegisteredCell>);
    const { summaries } = judgePredictions([cell], entry(of(1000, 300), of(1500, 250), of(4000, 310)));
    expect(summaries.p99Us?.error[0]).toBeCloseTo(0.1, 10);
    expect(summaries.p99Us?.floor?.[0]).toBeGreaterThan(0.05);
    expect([summaries.p99Us?.coverage, summaries.p95Us?.coverage]).toEqual([undefined, 1]);
  });

  it('is not judged of repetitions with few requests, nor where a file has none', () => {
    const few = judgePredictions([registered('none', 100, { predicted })], entry(of(999, 300)));
    expect(few.summaries.p99Us).toBeUndefined();
    expect(few.summaries.medianUs).toBeDefined();
    expect(judgePredictions([registered('none', 100)], entry(of(1000, 300))).summaries.p99Us).toBeUndefined();
  });
});

describe('simple rules from calibrated cells', () => {
  const fitted = (architecture: string, hops: number, rateRps: number, us: number, heldOut = false): FittedCell =>
    ({
      factors: { architecture },
      hops,
      rateRps,
      heldOut,
      measured: { medianUs: us, p95Us: 2 * us, cpuUs: 100 * hops },
    }) as unknown as FittedCell;
  const cells = [
    fitted('none', 4, 20, 400),
    fitted('none', 8, 20, 800),
    fitted('sidecar', 9, 90, 900),
    fitted('none', 5, 40, 1, true),
  ];
  const entry = (hops: number, offeredRps: number): Cell =>
    ({
      ...{ factors: { architecture: 'none' }, hops: { perRequest: hops }, offeredRps },
      processes: {
        gateway: { roles: { gateway: { turns: 50 } } },
        service: { roles: { a: { turns: 25 }, b: { turns: 25 } } },
      },
    }) as unknown as Cell;

  it('take the nearest cell, a line in hops, and a queue for each process', () => {
    const { nearest, linearInHops, mm1 } = baselinesOf(entry(6, 20), cells);
    expect(nearest?.medianUs).toBe(800);
    expect(linearInHops?.medianUs).toBeCloseTo(600, 6);
    // 600 µs of CPU: 300, 150 and 150 in three queues at 20/s.
    const stays = [300, 150, 150].map((us) => us / (1 - (20 * us) / 1e6));
    expect(mm1?.medianUs).toBeCloseTo(stays[0]! + stays[1]! + stays[2]!, 6);
    expect(baselinesOf(entry(6, 4000), cells).mm1).toEqual({
      medianUs: null,
      p95Us: null,
      p99Us: null,
      cpuUs: expect.closeTo(600, 6),
    });
    expect(baselinesOf(entry(6, 20), [])).toEqual({});
  });
});
