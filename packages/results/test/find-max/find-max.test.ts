import { describe, expect, it } from 'vitest';
import { findMax } from '../../src/find-max/find-max.ts';

const capacity = (maxRps: number) => async (rateRps: number) => rateRps <= maxRps;

describe('the search for the highest rate', () => {
  it.each([3, 90, 100, 730, 12_345])(
    'ends within 5%% below a capacity of %d req/s, from below and from above',
    async (maxRps) => {
      for (const startRps of [10, 100, 20_000]) {
        const { rateRps, failedRps } = await findMax(capacity(maxRps), { startRps, maxProbes: 60 });
        expect(rateRps).toBeLessThanOrEqual(maxRps);
        expect(rateRps).toBeGreaterThan(maxRps / 1.051);
        expect(failedRps).toBeGreaterThan(maxRps);
      }
    },
  );

  it('tolerates one probe that fails by accident', async () => {
    let probes = 0;
    const flaky = async (rateRps: number) => ++probes !== 2 && rateRps <= 700;
    const { rateRps } = await findMax(flaky, { startRps: 100 });
    expect(rateRps).toBeGreaterThan(700 / 1.051);
  });

  it('reports that no rate meets the condition', async () => {
    expect(await findMax(async () => false, { startRps: 100 })).toMatchObject({
      rateRps: undefined,
      failedRps: 100 / 64,
    });
  });

  it('stops at the max rate', async () => {
    expect(await findMax(async () => true, { startRps: 100, highestRps: 1000 })).toMatchObject({
      rateRps: 1000,
      failedRps: undefined,
    });
  });

  it('stops at the max number of probes', async () => {
    let probes = 0;
    const counted = async (rateRps: number) => {
      probes++;
      return rateRps <= 1e5;
    };
    const result = await findMax(counted, { startRps: 1, maxProbes: 7 });
    expect(probes).toBe(7);
    expect(result.probes).toBe(7);
  });
});
