import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/small-files.ts';
import { defaultRunFolder, samplesPath } from '../src/run-name.ts';

test('run folders are named after experiment and time, and sort by time', () => {
  expect(defaultRunFolder('quickstart', new Date('2025-01-31T09:30:05.678Z'))).toBe(
    'runs/quickstart-2025-01-31T09-30-05',
  );
});

test('a run that begins in the same second as others has a folder of its own', () => {
  const before = process.cwd();
  process.chdir(temporaryFolder());
  try {
    const now = new Date('2025-01-31T09:30:05Z');
    const folders = Array.from({ length: 3 }, () => {
      const folder = defaultRunFolder('quickstart', now);
      mkdirSync(folder, { recursive: true });
      return folder;
    });
    const first = 'runs/quickstart-2025-01-31T09-30-05';
    expect(folders).toEqual([first, `${first}-2`, `${first}-3`]);
  } finally {
    process.chdir(before);
  }
});

test('samples are named after their cell and repetition', () => {
  expect(samplesPath({ architecture: 'dynamic-router-3', services: 50, rate: 100 }, 2)).toMatch(
    /^samples\/dynamic-router-3_50_100_r2_[0-9a-f]{8}\.parquet$/,
  );
});
