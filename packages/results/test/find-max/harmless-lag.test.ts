import type { Sample } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../src/find-max/condition.ts';
import { withHarmlessLag } from '../../src/find-max/harmless-lag.ts';
import { cellOfSamples } from '../../src/index.ts';

/** 100 requests of 1 ms in a second, all of which left late by `lagUs`. */
function cellWith({ lagUs, error = false }: { lagUs: number; error?: boolean }) {
  const samples = Array.from({ length: 100 }, (_, i): Sample => {
    const intendedUs = i * 9000;
    return {
      id: String(i),
      class: '',
      intendedUs,
      sentUs: intendedUs + lagUs,
      doneUs: intendedUs + lagUs + 1000,
      rttUs: 1000,
      status: 200,
      outcome: error && i === 0 ? 'error' : 'completed',
      rule: null,
      error: null,
      hops: null,
      hopsBetweenNodes: null,
      exposureBytes: {},
      steps: [],
    };
  });
  return cellOfSamples({
    source: 'measured',
    factors: {},
    repetition: 1,
    load: { startedAt: new Date(0), durationUs: 1e6, sent: 100, generators: [] },
    samples,
    schedule: { rateRps: 100, smallestDifference: 0.05 },
    host: undefined,
    maxErrorShare: 0,
  });
}

describe('a search', () => {
  it.each(['p95<20ms', 'rtt.p95<20ms', 'mean<20ms'])('is valid for %s where the lag could not move it', (condition) => {
    const cell = cellWith({ lagUs: 1100 });
    expect(cell.validity).toMatchObject({ valid: false, reasons: [expect.stringContaining('scheduler lag p99')] });
    expect(withHarmlessLag(parseCondition(condition), cell).validity).toMatchObject({
      valid: true,
      reasons: [],
      flags: ['late'],
    });
  });

  it.each([
    ['the lag added reaches the bound', 'p95<3.1ms', {}],
    ['the condition does not hold', 'p95<2ms', {}],
    ['there is another reason', 'p95<20ms', { error: true }],
  ])('stays invalid where %s', (_what, condition, more) => {
    const cell = cellWith({ lagUs: 1100, ...more });
    expect(withHarmlessLag(parseCondition(condition), cell)).toBe(cell);
  });

  it('keeps a cell without late requests', () => {
    const cell = cellWith({ lagUs: 0 });
    expect(withHarmlessLag(parseCondition('p95<20ms'), cell)).toBe(cell);
  });
});
