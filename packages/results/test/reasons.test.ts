import { cellHead, type Validity, type ValidityReason } from '@topo-bench/core/schema/result';
import { describe, expect, it } from 'vitest';
import { withLag, withoutLag } from '../src/lag-limit.ts';
import { reasonText } from '../src/reasons.ts';

const texts: [reason: ValidityReason, text: string][] = [
  [
    { kind: 'late', p99Us: 2500, medianUs: 4000, stolenPercent: 0 },
    'scheduler lag p99 2.5 ms is above 1 ms and above 10% of the smallest compared median 4 ms',
  ],
  [
    { kind: 'late', p99Us: 2500, medianUs: 4000, stolenPercent: 12.34 },
    "scheduler lag p99 2.5 ms is above 1 ms and above 10% of the smallest compared median 4 ms; meanwhile the hypervisor gave 12.3% of this machine's time to others",
  ],
  [
    { kind: 'late-generator', generator: 'g2', lateUs: 3000, limitUs: 1000 },
    'load generator g2 began 3 ms after the common start instant, at most 1 ms allowed',
  ],
  [{ kind: 'late-second', second: 4, sent: 90, scheduled: 100 }, 'second 4: sent 90, scheduled 100'],
  [{ kind: 'unsent', sent: 999, scheduled: 1000 }, 'sent 999 of 1000 scheduled requests'],
  [{ kind: 'empty' }, 'no request was due in this load: raise the rate or the duration'],
  [
    { kind: 'generator-bound', busyShare: 0.951 },
    'load generator CPU-bound: its event loop was busy 95.1% of the time',
  ],
  [
    { kind: 'in-flight-cap', cap: 8000, refused: 12 },
    'in-flight cap of 8000 open requests reached: 12 requests were not sent',
  ],
  [{ kind: 'wrong-decisions', count: 1 }, '1 wrong decision'],
  [{ kind: 'wrong-decisions', count: 2 }, '2 wrong decisions'],
  [{ kind: 'errors', errors: 5, requests: 40, maxShare: 0.01 }, '5 errors in 40 requests (12.5%), at most 1% allowed'],
  [
    { kind: 'errors', errors: 9, requests: 36, maxShare: 0, kinds: { a: 1, 'unreachable:b': 4, c: 1, d: 3 } },
    '9 errors in 36 requests (25%), at most 0% allowed: 4 unreachable:b, 3 d, 1 a, 1 other',
  ],
  [{ kind: 'died', roles: ['pricing', 'router-1'] }, 'died during the repetition: pricing, router-1'],
  [{ kind: 'wrong', examples: ['a', 'b'] }, 'wrong: a; b'],
  [{ kind: 'not-measured', message: 'no room', code: 'TB_INTERNAL' }, 'not measured: no room (TB_INTERNAL)'],
  [{ kind: 'study', text: '1900 of 2000 rows arrived' }, '1900 of 2000 rows arrived'],
];

it.each(texts)('a reason is data in an entry, and one sentence for readers: %o', (reason, text) => {
  expect(reasonText(reason)).toBe(text);
  const validity = { valid: false, reasons: [text], why: [reason], flags: [] };
  expect(cellHead.shape.validity.parse(JSON.parse(JSON.stringify(validity)))).toEqual(validity);
});

describe('the reason that a limit of the lag adds', () => {
  const late = { p99Us: 50_000, meanUs: 20_000 };
  const facts = { lag: late, medianUs: 10_000, smallestDifference: 0.05 };
  const measured = { ...facts, realTimePriority: true, stolenPercent: undefined };
  const died: ValidityReason = { kind: 'died', roles: ['pricing'] };
  const before: Validity = { valid: false, reasons: [reasonText(died)], why: [died], flags: [] };

  it('is removed alone, wherever it stands among the others', () => {
    const judged = withLag(before, measured);
    expect(judged.why?.map(({ kind }) => kind)).toEqual(['late', 'died']);
    expect(withoutLag(judged, late)).toEqual(before);
    const turned = { ...judged, reasons: judged.reasons.toReversed(), why: judged.why?.toReversed() ?? [] };
    expect(withoutLag(turned, late)).toEqual(before);
  });

  it('is found in results that have sentences alone', () => {
    const { why: _none, ...older } = withLag(before, measured);
    expect(withoutLag({ ...older, reasons: older.reasons.toReversed() }, late).reasons).toEqual(before.reasons);
    const { why: _empty, ...only } = withLag({ valid: true, reasons: [], flags: [] }, measured);
    expect(withoutLag(only, late)).toEqual({ valid: true, reasons: [], flags: [] });
  });
});
