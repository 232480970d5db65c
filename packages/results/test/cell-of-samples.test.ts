import { type Sample, TopoBenchError } from '@topo-bench/core';
import { cell as cellSchema } from '@topo-bench/core/schema/result';
import { describe, expect, it } from 'vitest';
import { cellOfSamples, type Repetition } from '../src/cell-of-samples.ts';

const sample = (at: number, changes: Partial<Sample> = {}): Sample => ({
  id: String(at),
  class: 'order',
  intendedUs: at * 1000,
  sentUs: at * 1000 + 10,
  doneUs: at * 1000 + 600,
  rttUs: 500,
  status: 200,
  outcome: 'completed',
  rule: null,
  error: null,
  hops: 2,
  hopsBetweenNodes: 1,
  exposureBytes: {},
  steps: [{ service: 'a', effect: 'allow' }],
  ...changes,
});
const completed = Array.from({ length: 20 }, (_, at) => sample(at));

const repetition = (changes: Partial<Repetition> = {}): Repetition => ({
  source: 'measured',
  factors: { architecture: 'sidecar' },
  repetition: 1,
  load: {
    startedAt: new Date(0),
    durationUs: 20_000,
    sent: 20,
    inFlight: { max: 1, cap: 10, refused: 0 },
    generators: [{ windowUs: 1e6, cpuUs: 1e5, eventLoopUtilization: 0.2, rssBytes: 7 }],
    granted: { realTimePriority: true, coresKeptAwake: true },
  },
  samples: completed,
  schedule: { rateRps: 1000, smallestDifference: 0.05 },
  maxErrorShare: 0,
  ...changes,
});

describe('the cell of a repetition', () => {
  it('has every figure of its samples, and fits its schema', () => {
    const cell = cellOfSamples(repetition({ cpu: { gateway: { cpuUs: 900, idleCpuUs: 100 } } }));
    expect(cell).toMatchObject({
      offeredRps: 1000,
      achievedRps: 1000,
      rtt: { count: 20, medianUs: 500 },
      outcomes: { completed: 20 },
      decisions: { allow: 20, wrong: 0 },
      hops: { perRequest: 2, betweenNodesPerRequest: 1 },
      cpuUsPerRequest: { gateway: 40, total: 40 },
      resources: { generator: { processes: 1, cpuPercent: 10 } },
      generator: { realTimePriority: true },
      validity: { valid: true, lagLimit: { p99Us: 1000, meanUs: 2.5 } },
    });
    expect(cellSchema().safeParse(JSON.parse(JSON.stringify(cell))).error).toBeUndefined();
  });

  it('of a simulator has no generator, and is marked', () => {
    const load = { startedAt: new Date(0), durationUs: 20_000, sent: 20, generators: [] };
    const cell = cellOfSamples(repetition({ source: 'simulated', load }));
    expect(cell.source).toBe('simulated');
    expect(cell.resources).toEqual({});
    expect(cell).not.toHaveProperty('generator');
    expect(cell.validity).toMatchObject({ valid: true, reasons: [] });
  });

  it('of a closed model has an offered rate equal to the achieved one, and no schedule', () => {
    const { schedule: _, ...closed } = repetition({
      samples: completed.map((one) => ({ ...one, sentUs: one.intendedUs + 9e6 })),
    });
    const cell = cellOfSamples(closed);
    expect(cell.offeredRps).toBe(cell.achievedRps);
    expect(cell.validity).toEqual({ valid: true, reasons: [], flags: [] });
  });

  it('without round trips judges lateness by response times', () => {
    const cell = cellOfSamples(repetition({ withoutRtt: true }));
    expect(cell.rtt.count).toBe(0);
    expect(cell.validity.lagLimit?.meanUs).toBeCloseTo(3);
  });

  it('is invalid for errors found by the oracle, dead roles and findings of the study, in this order', () => {
    const { validity, decisions } = cellOfSamples(
      repetition({
        check: { wrong: 2, examples: ['7: b was allowed'] },
        deaths: [new TopoBenchError('TB_INTERNAL', 'svc-1 ended\nlast words')],
        findings: { reasons: ['half of it arrived'], flags: ['overlap'] },
        warm: false,
      }),
    );
    expect(decisions.wrong).toBe(2);
    expect(validity).toMatchObject({
      valid: false,
      reasons: [
        '2 wrong decisions',
        'died during the repetition: svc-1 ended',
        'wrong: 7: b was allowed',
        'half of it arrived',
      ],
      flags: ['cold', 'overlap'],
    });
  });

  it('is invalid for a busy generator, unless the study may be bound by it', () => {
    const [one] = repetition().load.generators;
    const load = { ...repetition().load, generators: [{ ...one!, eventLoopUtilization: 0.99 }] };
    expect(cellOfSamples(repetition({ load })).validity.reasons[0]).toMatch(/^load generator CPU-bound/);
    expect(cellOfSamples(repetition({ load, mayBeGeneratorBound: true })).validity.valid).toBe(true);
  });

  it('that could not be measured has no figures, and the failure as its only reason', () => {
    const load = { startedAt: new Date(0), durationUs: 20_000, sent: 0, generators: [] };
    const failure = new TopoBenchError('TB_INTERNAL', 'no room\ndetails');
    const cell = cellOfSamples(repetition({ load, samples: [], failure }));
    expect([cell.offeredRps, cell.achievedRps, cell.rtt.count]).toEqual([1000, 0, 0]);
    expect(cell.validity).toEqual({
      valid: false,
      reasons: ['not measured: no room (TB_INTERNAL)'],
      why: [{ kind: 'not-measured', message: 'no room', code: 'TB_INTERNAL' }],
      flags: [],
    });
  });
});
