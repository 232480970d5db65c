/**
 * The claim behind every interval of a comparison, tried out: over synthetic experiments whose true difference is
 * known, the 95% interval covers it often enough, whatever the distribution.
 */
import { normalQuantile, type RandomStream, randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { pairedShift, shift } from '../src/rank-interval.ts';

const experiments = 2500;
const trueDifference = 0.7;

const normal = (random: RandomStream) => normalQuantile(random.uniform() || 0.5);
const distributions: Record<string, (random: RandomStream) => number> = {
  normal,
  lognormal: (random) => Math.exp(normal(random)),
  bimodal: (random) => (random.uniform() < 0.7 ? 0 : 5) + 0.5 * normal(random),
};

const rows: Record<string, string | number>[] = [];

describe.each(Object.keys(distributions))('the 0.95 interval of %s samples', (name) => {
  const draw = distributions[name] as (random: RandomStream) => number;

  it.each([5, 10, 20])(
    'contains the true difference in at least 0.94 of experiments, at %d repetitions per side',
    (n) => {
      const random = randomStream(2, 'coverage', name, n);
      const sample = (up: number) => Float64Array.from({ length: n }, () => up + draw(random));
      let covered = 0;
      let length = 0;
      for (let i = 0; i < experiments; i++) {
        const [baseline, candidate] = [sample(0), sample(trueDifference)];
        const [low, high] = shift(baseline, candidate, 0.05).interval;
        covered += Number(low <= trueDifference && trueDifference <= high);
        length += (high - low) / experiments;
      }
      rows.push({
        distribution: name,
        n,
        'rank: covered': `${((100 * covered) / experiments).toFixed(1)}%`,
        'rank: length': length.toFixed(2),
      });
      if (rows.length === 9) console.table(rows);
      expect(covered / experiments).toBeGreaterThanOrEqual(0.94);
    },
  );

  it.each([6, 10, 20])('of %d pairs, too, when their differences are symmetric', (n) => {
    const random = randomStream(3, 'coverage', name, n);
    let covered = 0;
    for (let i = 0; i < experiments; i++) {
      const differences = Float64Array.from({ length: n }, () => trueDifference + draw(random) - draw(random));
      const [low, high] = pairedShift(differences, 0.05).interval;
      covered += Number(low <= trueDifference && trueDifference <= high);
    }
    expect(covered / experiments).toBeGreaterThanOrEqual(0.94);
  });
});
