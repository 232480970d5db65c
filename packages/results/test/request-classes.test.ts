import type { Sample } from '@topo-bench/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classesFault, classOf, requestClasses } from '../src/request-classes.ts';

const sample = (changes: Partial<Sample> = {}): Sample => ({
  ...{ id: 'r', class: 'order', intendedUs: 1000, sentUs: 1010, doneUs: 1600, rttUs: 500, status: 200 },
  ...{ outcome: 'completed', rule: null, error: null, hops: 2, hopsBetweenNodes: 1, exposureBytes: {}, steps: [] },
  ...changes,
});
const by = { deadlineUs: 5000 };

describe('the class of a request', () => {
  it.each<[string, Partial<Sample>]>([
    ['answered', {}],
    ['refused', { outcome: 'refused', rule: 'r1' }],
    ['late', { doneUs: 6001 }],
    ['late', { outcome: 'refused', doneUs: 9000 }],
    ['answered', { doneUs: 6000 }],
    ['lost', { outcome: 'unfinished', error: 'deadline:router-2' }],
    ['lost', { outcome: 'unfinished', doneUs: null }],
    ['lost', { outcome: 'error', error: 'deadline:svc-3' }],
    ['lost', { outcome: 'error', error: 'connection-reset', doneUs: 1200 }],
    ['failed', { outcome: 'error', error: 'connection-refused' }],
    ['failed', { outcome: 'error', error: 'unreachable:router-2' }],
    ['failed', { outcome: 'error', error: 'in-flight-cap', sentUs: null, doneUs: null }],
  ])('is %s for %o', (expected, changes) => {
    expect(classOf(sample(changes), by)).toBe(expected);
  });

  it('is duplicated where a service worked on it twice, whatever its outcome', () => {
    const twice = { ...by, repeated: new Set(['r']) };
    expect(classOf(sample(), twice)).toBe('duplicated');
    expect(classOf(sample({ outcome: 'unfinished' }), twice)).toBe('duplicated');
    expect(classOf(sample({ id: 'other' }), twice)).toBe('answered');
  });
});

it('is undecided where a service received data that no decision permitted', () => {
  const step = (service: string, effect: 'allow' | 'deny' | 'redact') => ({ service, effect });
  const of = (steps: Sample['steps'], ...services: string[]) => {
    const delivered = { services: services.map((service) => ({ service, copy: 0 })), copies: [{}] };
    return classOf(sample({ steps, delivered }), { ...by, enforces: true });
  };
  expect(of([step('a', 'allow'), step('b', 'redact')], 'a', 'b')).toBe('answered');
  expect(of([step('a', 'allow')], 'a', 'b')).toBe('undecided');
  expect(of([step('a', 'allow'), step('b', 'deny')], 'a', 'b')).toBe('undecided');
  expect(of([step('a', 'allow')], 'a', 'a')).toBe('undecided');
  const passed = { delivered: { services: [{ service: 'a', copy: 0 }], copies: [{}] } };
  expect(classOf(sample(passed), by)).toBe('answered');
});

it('is stale or torn in place of answered and refused alone', () => {
  const changed = { ...by, stale: new Set(['r', 'both']), torn: new Set(['both']) };
  expect(classOf(sample(), changed)).toBe('stale');
  expect(classOf(sample({ outcome: 'refused', id: 'both' }), changed)).toBe('torn');
  expect(classOf(sample({ outcome: 'unfinished' }), changed)).toBe('lost');
  expect(classOf(sample({ doneUs: 6001 }), changed)).toBe('late');
  expect(requestClasses([sample(), sample({ id: 'both' })], changed, 2)).toMatchObject({
    stale: 1,
    torn: 1,
    answered: 0,
  });
});

describe('the classes of a repetition', () => {
  it('name the part at which lost requests were last seen, and the kinds of failures', () => {
    const samples = [
      sample({ outcome: 'unfinished', error: 'deadline:router-2' }),
      sample({ outcome: 'error', error: 'deadline:router-2' }),
      sample({ outcome: 'error', error: 'connection-reset' }),
      sample({ outcome: 'error', error: 'unreachable:svc-1' }),
      sample(),
    ];
    expect(requestClasses(samples, by, 5)).toMatchObject({
      ...{ scheduled: 5, answered: 1, lost: 3, failed: 1 },
      ...{ lostAt: { 'router-2': 2, gateway: 1 }, failedBy: { 'unreachable:svc-1': 1 } },
    });
  });

  it('add up to the samples, for any samples', () => {
    const any = fc.record({
      outcome: fc.constantFrom('completed', 'refused', 'error', 'unfinished') as fc.Arbitrary<Sample['outcome']>,
      error: fc.constantFrom(null, 'deadline:a', 'connection-reset', 'unreachable:b', 'http-500'),
      doneUs: fc.option(fc.integer({ min: 1000, max: 20_000 })),
      id: fc.constantFrom('a', 'b', 'c'),
    });
    fc.assert(
      fc.property(fc.array(any), (changes) => {
        const classes = requestClasses(changes.map(sample), { ...by, repeated: new Set(['b']) }, changes.length);
        expect(classesFault(classes)).toBeUndefined();
        const parts = (counts: Record<string, number>) => Object.values(counts).reduce((sum, one) => sum + one, 0);
        expect(parts(classes.lostAt)).toBe(classes.lost);
        expect(parts(classes.failedBy)).toBe(classes.failed);
      }),
    );
  });

  it('are a fault where a scheduled request has no sample', () => {
    expect(classesFault(requestClasses([sample()], by, 2))).toBe(
      'the classes of requests add up to 1, expected the 2 scheduled requests',
    );
  });
});
