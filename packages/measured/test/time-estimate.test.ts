import { describe, expect, it } from 'vitest';
import { estimateDeploySeconds, estimateLoadSeconds, maxSeconds, type RepetitionSize } from '../src/time-estimate.ts';

const size: RepetitionSize = {
  processes: 11,
  hops: 11,
  rateRps: 100,
  durationUs: 10e6,
  drainUs: 60e6,
  warmupRequests: 2000,
  warmupWindowUs: 2e6,
  warmupMaxUs: 120e6,
  cores: 2,
};

describe('the time of a repetition', () => {
  it('is the load alone when the machine keeps up', () => {
    expect(estimateLoadSeconds(size)).toBeCloseTo(10.5);
  });

  it('includes the drain of a backlog if it does not, up to its limit', () => {
    expect(estimateLoadSeconds({ ...size, rateRps: 1000 })).toBeGreaterThan(15);
    expect(estimateLoadSeconds({ ...size, rateRps: 1e6 })).toBeCloseTo(70.5);
  });

  it('never exceeds its limit', () => {
    for (const rateRps of [1, 100, 1e4, 1e6]) {
      const { deploy, load } = maxSeconds({ ...size, rateRps });
      expect(estimateLoadSeconds({ ...size, rateRps })).toBeLessThanOrEqual(load);
      expect(estimateDeploySeconds({ ...size, rateRps })).toBeLessThanOrEqual(deploy);
    }
  });

  it('needs no warm-up time when there is no warm-up', () => {
    expect(estimateDeploySeconds({ ...size, warmupMaxUs: 0 })).toBeLessThan(5);
  });
});
