import { countSamples, summariseSamples } from '@topo-bench/results';
import { describe, expect, it } from 'vitest';
import { answered, type Recorded, recordedLoad, refused } from '../../study-kit/test/fixtures/recorded-load.ts';
import { requestSamples } from '../src/samples.ts';

const requestOf = (index: number) => ({
  id: `r1-${index}`,
  class: 'order',
  origin: 'eu',
  categories: [],
  consents: [],
  purpose: 'contract',
  payload: {},
});
const samplesOf = (requests: readonly Recorded[]) => requestSamples(recordedLoad(requests), requestOf);

const steps = [
  { service: 'a', effect: 'allow' as const },
  { service: 'b', effect: 'deny' as const, rule: 'no' },
];

describe('the sample of a request', () => {
  it('joins the generator with the answer of the gateway', () => {
    const [sample] = samplesOf([
      refused(900, { rule: 'no', service: 'b', steps, hops: 4, exposureBytes: { personal: 48 } }),
    ]);
    expect(sample).toEqual({
      id: 'r1-0',
      class: 'order',
      origin: 'eu',
      intendedUs: 0,
      sentUs: 10,
      doneUs: 1000,
      rttUs: 900,
      status: 451,
      outcome: 'refused',
      rule: 'no',
      error: null,
      hops: 4,
      hopsBetweenNodes: 1,
      exposureBytes: { personal: 48 },
      delivered: { services: [], copies: [] },
      steps,
    });
  });

  it.each<[string, Recorded, string, string | null]>([
    ['never answered', {}, 'unfinished', null],
    ['never sent', { error: 'in-flight-cap' }, 'error', 'in-flight-cap'],
    ['whose connection broke', { error: 'connection-reset' }, 'error', 'connection-reset'],
    [
      'that an enforcement point lost',
      { ...answered(5, { outcome: 'error', error: 'unreachable:router-2' }), status: 503 },
      'error',
      'unreachable:router-2',
    ],
    [
      "that the gateway's deadline cut off",
      { ...answered(5, { outcome: 'error', error: 'deadline:router-2', pastDeadline: true }), status: 504 },
      'unfinished',
      'deadline:router-2',
    ],
    ['answered by something that is no gateway', { status: 502, tookUs: 10 }, 'error', 'http-502'],
  ])('%s is marked as such', (_, recorded, outcome, error) => {
    expect(samplesOf([recorded])[0]).toMatchObject({ outcome, error });
  });
});

describe("requests that the gateway's deadline cut off", () => {
  const cut: Recorded = { ...answered(5, { outcome: 'error', error: 'deadline:b', pastDeadline: true }), status: 504 };
  const samples = samplesOf([answered(100), cut, cut, cut]);

  it('are unfinished, not errors, and the hop is still named', () => {
    const { outcomes, errors, unfinished } = countSamples(samples, 0);
    expect(outcomes).toEqual({ completed: 1, refused: 0, error: 0, unfinished: 3 });
    expect([errors, unfinished]).toEqual([{ 'deadline:b': 3 }, 3]);
  });

  it('are infinite in every quantile and in the mean', () => {
    const { rtt, responseTime } = summariseSamples(samples);
    for (const { count, minUs, medianUs, meanUs } of [rtt, responseTime]) {
      expect([count, Number.isFinite(minUs), medianUs, meanUs]).toEqual([
        4,
        true,
        Number.POSITIVE_INFINITY,
        Number.POSITIVE_INFINITY,
      ]);
    }
    expect(samples[1]).toMatchObject({ doneUs: null, rttUs: null, status: 504 });
  });
});

describe('sums over requests', () => {
  const samples = samplesOf([
    answered(100, { steps: [{ service: 'a', effect: 'redact', rule: 'hide' }] }),
    answered(300, { hops: 5 }),
    refused(7, { rule: 'no', steps, hops: 99, exposureBytes: { personal: 48 } }),
    { ...answered(5, { outcome: 'error', error: 'deadline:b' }), status: 504 },
    {},
  ]);

  it('counts outcomes, errors, decisions and exposure', () => {
    expect(countSamples(samples, 2)).toEqual({
      outcomes: { completed: 2, refused: 1, error: 1, unfinished: 1 },
      errors: { 'deadline:b': 1 },
      unfinished: 1,
      decisions: { allow: 1, deny: 1, redact: 1, reroute: 0, wrong: 2, byRule: { hide: 1, no: 1 } },
      exposureBytes: { personal: 48 },
      // Figures of completed requests alone.
      hops: { perRequest: 4, betweenNodesPerRequest: 1 },
    });
  });

  it('excludes refusals and errors from round trips, and counts unfinished requests as infinite', () => {
    const { rtt, rttRefused, responseTime, schedulerLag } = summariseSamples(samples);
    expect([rtt.count, rtt.minUs, rtt.medianUs, rtt.maxUs]).toEqual([3, 100, 300, Number.POSITIVE_INFINITY]);
    expect([rttRefused.count, rttRefused.medianUs]).toEqual([1, 7]);
    expect([responseTime.count, responseTime.minUs]).toEqual([3, 200]);
    expect([schedulerLag.count, schedulerLag.maxUs]).toEqual([5, 10]);
  });
});
