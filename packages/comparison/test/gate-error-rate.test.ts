/** The gate's promises, counted over hundreds of synthetic pairs of runs whose truth is known. */
import { type RunFolder, randomStream } from '@topo-bench/core';
import { expect, test } from 'vitest';
import { gate } from '../src/gate.ts';
import type { GateVerdict } from '../src/gate-result.ts';
import { gateAlpha } from '../src/pairs-for-limit.ts';
import { parseThreshold } from '../src/threshold.ts';
import { noisy, normal } from './fixtures/noise.ts';
import { runOf } from './fixtures/run-of.ts';

const centresUs = [800, 5000];

/** Two cells whose rounds drift together by `drift`, each figure with noise of its own. */
function draw(name: string, pair: number, { factor = 1, repetitions = 8, spread = 0.03, drift = 0.03 }): RunFolder {
  const random = randomStream(pair, name);
  const rounds = Array.from({ length: repetitions }, () => Math.exp(drift * normal(random)));
  return runOf(
    centresUs.map((centre, at) => ({
      factors: { architecture: 'sidecar', rate: at },
      mediansUs: noisy(random, centre * factor, spread, repetitions).map(
        (value, round) => value * (rounds[round] as number),
      ),
    })),
  );
}

function verdicts(pairs: number, options: Parameters<typeof draw>[2], ...texts: string[]): Record<GateVerdict, number> {
  const counts = { passed: 0, failed: 0, 'cannot tell': 0 };
  const thresholds = texts.map((text) => parseThreshold(text));
  for (let pair = 0; pair < pairs; pair++) {
    const baseline = draw('baseline', pair, { ...options, factor: 1 });
    counts[gate(draw('candidate', pair, options), baseline, thresholds).verdict]++;
  }
  return counts;
}

/** Most alarms that a true rate of `alpha` gives but once in a thousand times: mean plus three standard deviations. */
const bound = (pairs: number, alpha: number): number => pairs * alpha + 3 * Math.sqrt(pairs * alpha * (1 - alpha));

test('a threshold of +5% rarely alarms over 500 unchanged candidates', () => {
  const { failed } = verdicts(500, {}, 'rtt.median < +5%');
  expect(failed).toBeLessThanOrEqual(2);
});

test('candidates exactly at the limit fail no more often than the error rate of all tests together, and rarely pass', () => {
  const { failed, passed } = verdicts(300, { factor: 1.05 }, 'rtt.median < +5%');
  expect(failed).toBeGreaterThan(0);
  expect(failed).toBeLessThanOrEqual(bound(300, gateAlpha));
  expect(passed).toBeLessThanOrEqual(bound(300, gateAlpha / 2));
});

test('two thresholds at their limits share the stated rate', () => {
  const { failed } = verdicts(150, { factor: 1.05 }, 'rtt.median < +5%', 'rtt.median <= +5%');
  expect(failed).toBeLessThanOrEqual(bound(150, gateAlpha));
});

test('a slow-down of 10% is found nine times out of ten with fourteen repetitions of 4% spread', () => {
  const { failed } = verdicts(100, { factor: 1.1, repetitions: 14 }, 'rtt.median < +5%');
  expect(failed).toBeGreaterThanOrEqual(90);
});

test('with too few repetitions for the spread a gate stays undecided', () => {
  const counts = verdicts(100, { repetitions: 4, spread: 0.1, drift: 0.1 }, 'rtt.median < +5%');
  expect(counts.failed).toBeLessThanOrEqual(2);
  expect(counts['cannot tell']).toBeGreaterThan(80);
});
