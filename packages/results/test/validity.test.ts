import { summarise } from '@topo-bench/stats';
import { describe, expect, it } from 'vitest';
import type { Lag } from '../src/lag-limit.ts';
import { isDisturbed, isOverload, type RepetitionMeasurement, validityOf } from '../src/validity.ts';

const good: RepetitionMeasurement = {
  schedule: {
    scheduled: 300,
    sent: 300,
    perSecond: [100, 101, 99].map((count) => ({ scheduled: count, sent: count })),
  },
  schedulerLag: { p99Us: 400, meanUs: 20, smallestDifference: 0.05 },
  medianRttUs: 2000,
  generatorUtilizations: [0.2, 0.3],
  inFlight: { cap: 8000, refused: 0 },
  wrongDecisions: 0,
  errors: {},
  requests: 300,
  maxErrorShare: 0,
  deadRoles: [],
  host: { idlePercent: 50, stolenPercent: 0 },
  warm: true,
  unfinished: 0,
};
/** The lag of a cell at 100 req/s that takes turns with another. */
const inTurns = (meanUs: number, ...others: Lag[]) => ({
  ...{ p99Us: 9000, meanUs, meanErrorUs: 50 },
  ...{ smallestDifference: 0.05, inTurns: { rateRps: 100, others } },
});
/** Figures of requests so many of which left late that the mean is above what may be neglected. */
const lag = (p99Us: number) => ({ p99Us, meanUs: p99Us / 4, smallestDifference: 0.05 });
const second = (scheduled: number, sent: number) => ({ scheduled, sent });
const infinity = Number.POSITIVE_INFINITY;

describe('a repetition', () => {
  it('is valid without flags when all facts are within the limits', () => {
    expect(validityOf(good)).toEqual({ valid: true, reasons: [], flags: [], lagLimit: { p99Us: 1000, meanUs: 10 } });
  });

  const invalid: [string, Partial<RepetitionMeasurement>, RegExp][] = [
    ['fewer requests were sent than scheduled', { schedule: { scheduled: 9, sent: 8, perSecond: [] } }, /^sent 8 of 9/],
    [
      'one second got over 1% fewer than scheduled',
      { schedule: { scheduled: 400, sent: 400, perSecond: [second(200, 200), second(200, 197)] } },
      /^second 2: sent 197, scheduled 200$/,
    ],
    [
      'one second got over 1% more than scheduled',
      { schedule: { scheduled: 400, sent: 400, perSecond: [second(200, 203), second(200, 200)] } },
      /^second 1: sent 203, scheduled 200$/,
    ],
    [
      'it sent late, by 1 ms and a tenth of the RTT',
      { schedulerLag: lag(1001), medianRttUs: 10_000 },
      /^scheduler lag p99 1 ms .* smallest compared median 10 ms$/,
    ],
    [
      'it sent late, and its mean lag is above a tenth of the smallest difference',
      { schedulerLag: { p99Us: 9000, meanUs: 100.5, smallestDifference: 0.05 }, medianRttUs: 20_000 },
      /^scheduler lag p99 9 ms/,
    ],
    [
      'it took turns, and its mean lag is above a quarter of the time between two requests',
      { schedulerLag: inTurns(2501), medianRttUs: 20_000 },
      /^scheduler lag p99 9 ms .*; the mean lag 2.5 ms is above a quarter of the time between two requests$/,
    ],
    [
      'it took turns, and its mean lag differs from that of another by more than half of the smallest difference',
      { schedulerLag: inTurns(1501, { p99Us: 900, meanUs: 1000, meanErrorUs: 50 }), medianRttUs: 20_000 },
      /^scheduler lag p99 9 ms .*; the mean lags of cells in turns differ by 501 µs$/,
    ],
    ['it sent late and nothing was completed', { schedulerLag: lag(1001), medianRttUs: Number.NaN }, /scheduler lag/],
    ['a generator was out of CPU', { generatorUtilizations: [0.2, 0.95] }, /CPU-bound.*95%/],
    ['the in-flight cap was reached', { inFlight: { cap: 4000, refused: 3 } }, /cap of 4000 .*: 3 requests/],
    ['a decision was wrong', { wrongDecisions: 1 }, /^1 wrong decision$/],
    [
      'there was an error and none is allowed',
      { errors: { 'http-503': 1 } },
      /^1 error in 300 requests \(0.333%\), at most 0% allowed: 1 http-503$/,
    ],
    [
      'errors exceed their share',
      { errors: { a: 3, b: 1 }, maxErrorShare: 0.01 },
      /4 errors in 300 requests \(1.33%\), at most 1%/,
    ],
    ['no request was due', { requests: 0, medianRttUs: Number.NaN }, /^no request was due in this load/],
    ['a role died', { deadRoles: ['router-2'] }, /died.*router-2/],
  ];
  it.each(invalid)('is invalid when %s', (_when, facts, reason) => {
    const { valid, reasons, flags } = validityOf({ ...good, ...facts });
    expect({ valid, flags, count: reasons.length }).toEqual({ valid: false, flags: [], count: 1 });
    expect(reasons[0]).toMatch(reason);
  });

  const valid: [string, Partial<RepetitionMeasurement>][] = [
    ['a second differs by one request', { schedule: { scheduled: 30, sent: 30, perSecond: [second(15, 16)] } }],
    ['a second differs by just 1%', { schedule: { scheduled: 200, sent: 200, perSecond: [second(200, 198)] } }],
    ['lag is above 1 ms but within a tenth of the RTT', { schedulerLag: lag(5000), medianRttUs: 50_000 }],
    ['lag is above a tenth of the RTT but within 1 ms', { schedulerLag: lag(1000), medianRttUs: 500 }],
    ['lag is large and most requests never finished', { schedulerLag: lag(50_000), medianRttUs: infinity }],
    ['errors stay within their share', { errors: { a: 2, b: 1 }, maxErrorShare: 0.01 }],
    [
      'lag is above both limits, but its mean is a tenth of the smallest difference',
      { schedulerLag: { p99Us: 9000, meanUs: 100, smallestDifference: 0.05 }, medianRttUs: 20_000 },
    ],
    [
      'the closed model has no schedule',
      { schedule: undefined, schedulerLag: undefined } as unknown as RepetitionMeasurement,
    ],
  ];
  it.each(valid)('is valid when %s', (_when, facts) => {
    const { lagLimit: _, ...verdict } = validityOf({ ...good, ...facts });
    expect(verdict).toEqual({ valid: true, reasons: [], flags: [] });
  });

  const flagged: [string, Partial<RepetitionMeasurement>, string[]][] = [
    ['the host was idle for less than 5%', { host: { idlePercent: 4.9 } }, ['host-saturated']],
    ['the host was idle for 5%', { host: { idlePercent: 5 } }, []],
    [
      'other programs had a tenth of the processors',
      { host: { idlePercent: 50, foreignPercent: 10 } },
      ['foreign-load'],
    ],
    ['other programs had less', { host: { idlePercent: 50, foreignPercent: 9.9 } }, []],
    ['the host was full, mostly of others', { host: { idlePercent: 0.7, foreignPercent: 77 } }, ['foreign-load']],
    ['the host was full, mostly of our own', { host: { idlePercent: 2, foreignPercent: 9 } }, ['host-saturated']],
    [
      'the host was full of our own and, by a third, of others',
      { host: { idlePercent: 2, foreignPercent: 33 } },
      ['host-saturated', 'foreign-load'],
    ],
    ['a hypervisor took a hundredth of the processors', { host: { idlePercent: 50, stolenPercent: 1 } }, ['stolen']],
    ['a hypervisor took most of a full host', { host: { idlePercent: 1, stolenPercent: 60 } }, ['stolen']],
    ['limit on CPU time stopped a role', { throttledPeriods: 1 }, ['cpu-throttled']],
    ['limit on CPU time stopped no role', { throttledPeriods: 0 }, []],
    [
      'requests in turns left late, within a quarter of the time between two',
      { schedulerLag: inTurns(2500) },
      ['late'],
    ],
    [
      'its lag in turns differs by half of the smallest difference',
      {
        schedulerLag: inTurns(1500, { p99Us: 900, meanUs: 1000, meanErrorUs: 50 }),
        medianRttUs: 20_000,
      },
      ['late'],
    ],
    [
      'its lag in turns differs by more, which may be chance',
      {
        schedulerLag: inTurns(1900, { p99Us: 900, meanUs: 1000, meanErrorUs: 300 }),
        medianRttUs: 20_000,
      },
      ['late'],
    ],
    ['lag in turns is no more than a cell alone may have', { schedulerLag: inTurns(100), medianRttUs: 20_000 }, []],
    ['warm-up reached its bound', { warm: false }, ['cold']],
    ['requests never finished', { unfinished: 2 }, ['unfinished']],
    ['the system does not tell how idle it was', { host: undefined } as unknown as RepetitionMeasurement, []],
  ];
  it.each(flagged)('carries its flags, and stays valid, when %s', (_when, facts, flags) => {
    const { lagLimit: _, ...verdict } = validityOf({ ...good, ...facts });
    expect(verdict).toEqual({ valid: true, reasons: [], flags });
  });

  it('reports stolen time as a reason only when the generator was late', () => {
    const late = { ...good, schedulerLag: lag(5000) };
    const reasonOf = (stolenPercent: number, facts: RepetitionMeasurement = late): string | undefined =>
      validityOf({ ...facts, host: { idlePercent: 50, stolenPercent } }).reasons[0];
    expect(reasonOf(1.53)).toMatch(
      /^scheduler lag p99 .*; meanwhile the hypervisor gave 1.53% of this machine's time to others$/,
    );
    expect(reasonOf(0.09)).not.toContain('hypervisor');
    expect(validityOf({ ...late, host: { idlePercent: 50 } }).reasons[0]).not.toContain('hypervisor');
    expect(reasonOf(20, good)).toBeUndefined();
  });

  describe('may be remeasured', () => {
    const onlyLate = (facts: Partial<RepetitionMeasurement>): boolean | undefined =>
      validityOf({ ...good, ...facts }).onlyLate;
    const late = { schedulerLag: lag(5000) };
    const shifted = { schedule: { scheduled: 400, sent: 400, perSecond: [second(200, 197), second(200, 203)] } };

    it('when requests left late and nothing else was wrong', () => {
      expect([onlyLate(late), onlyLate(shifted), onlyLate({ ...late, ...shifted, warm: false })]).toEqual([
        true,
        true,
        true,
      ]);
      expect(validityOf({ ...good, ...late }).valid).toBe(false);
    });

    it('on a saturated host when the generator has priority over the measured processes', () => {
      expect(onlyLate({ ...late, host: { idlePercent: 2 }, realTimePriority: true })).toBe(true);
    });

    const never: [string, Partial<RepetitionMeasurement>][] = [
      ['it is valid', {}],
      [
        'the generator waited in line on a saturated host',
        { ...late, host: { idlePercent: 2 }, realTimePriority: false },
      ],
      ['requests were not sent', { ...late, schedule: { scheduled: 9, sent: 8, perSecond: [] } }],
      ['the generator was out of CPU', { ...late, generatorUtilizations: [0.95] }],
      ['the in-flight cap was reached', { ...late, inFlight: { cap: 4000, refused: 3 } }],
      ['a decision was wrong', { ...late, wrongDecisions: 1 }],
      ['there were errors', { ...late, errors: { a: 1 } }],
      ['a role died', { ...late, deadRoles: ['router-2'] }],
      ['decisions were wrong and nothing was late', { wrongDecisions: 1 }],
    ];
    it.each(never)('but not when %s', (_when, facts) => {
      expect(onlyLate(facts)).toBeUndefined();
    });
  });

  describe('is marked as overload', () => {
    const overload = (facts: Partial<RepetitionMeasurement>): boolean | undefined =>
      validityOf({ ...good, ...facts }).overload;
    const inFlight = { cap: 4000, refused: 30 };
    const perSecond = [second(100, 100), second(100, 70)];
    const capped = { inFlight, schedule: { scheduled: 200, sent: 170, perSecond } };

    it('when the in-flight cap or the share of errors was reached, and no other cause is found', () => {
      expect(overload(capped)).toBe(true);
      expect(overload({ errors: { a: 1 } })).toBe(true);
      expect(overload({ ...capped, errors: { a: 1 } })).toBe(true);
    });

    const shifted = { scheduled: 200, sent: 170, perSecond: [second(100, 40), second(100, 130)] };
    const shiftedATenth = { scheduled: 200, sent: 170, perSecond: [second(100, 60), second(100, 110)] };
    const never: [string, Partial<RepetitionMeasurement>][] = [
      ['it is valid', {}],
      ['requests left in a later second', { ...capped, schedule: shifted }],
      ['a tenth of the requests left in a later second', { ...capped, schedule: shiftedATenth }],
      ['the cap does not explain all missing requests', { ...capped, inFlight: { cap: 4000, refused: 3 } }],
      ['the generator was out of CPU', { ...capped, generatorUtilizations: [0.95] }],
      ['a decision was wrong', { ...capped, wrongDecisions: 1 }],
      ['a role died', { errors: { a: 1 }, deadRoles: ['router-2'] }],
      ['only the generator was late', { schedulerLag: lag(5000) }],
    ];
    it.each(never)('but not when %s', (_when, facts) => {
      expect(overload(facts)).toBeUndefined();
    });

    it('whether or not requests left late, which then is the cause', () => {
      const schedulerLag = { ...summarise([1]), ...lag(5000) };
      const validity = validityOf({ ...good, ...capped, schedulerLag: lag(5000) });
      expect(validity.overload).toBe(true);
      expect(isOverload({ validity, schedulerLag })).toBe(false);
      expect(isOverload({ validity: validityOf({ ...good, ...capped }), schedulerLag: summarise([1]) })).toBe(true);
    });
  });

  it('names every reason at once', () => {
    const facts = { ...good, wrongDecisions: 2, deadRoles: ['a', 'b'], generatorUtilizations: [1] };
    expect(validityOf(facts).reasons).toHaveLength(3);
  });
});

it('a repetition under foreign load may be remeasured, one that is invalid for another reason may not', () => {
  const validity = (valid: boolean, flags: string[]) => ({ valid, reasons: valid ? [] : ['1 wrong decision'], flags });
  expect(isDisturbed(validity(true, ['foreign-load']))).toBe(true);
  expect(isDisturbed(validity(true, ['host-saturated', 'stolen']))).toBe(false);
  expect(isDisturbed(validity(false, ['foreign-load']))).toBe(false);
  expect(isDisturbed({ ...validity(false, []), onlyLate: true })).toBe(true);
});
