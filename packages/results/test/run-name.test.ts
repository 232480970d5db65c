import { expect, test } from 'vitest';
import { defaultRunFolder, samplesPath } from '../src/run-name.ts';

test('run folders are named after experiment and time, and sort by time', () => {
  expect(defaultRunFolder('quickstart', new Date('2025-01-31T09:30:05.678Z'))).toBe(
    'runs/quickstart-2025-01-31T09-30-05',
  );
});

test('samples are named after their cell and repetition', () => {
  expect(samplesPath({ architecture: 'dynamic-router-3', services: 50, rate: 100 }, 2)).toMatch(
    /^samples\/dynamic-router-3_50_100_r2_[0-9a-f]{8}\.parquet$/,
  );
});
