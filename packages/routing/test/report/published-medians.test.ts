import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';
import { publishedMedianUs, readPublishedMedians } from '../../src/report/published-medians.ts';
import { weightedAverages } from '../../src/report/weighted-average.ts';

const study = fileURLToPath(new URL('../../../../experiments/published/routing-study.csv', import.meta.url));

async function file(text: string): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(folder);
  await writeFile(join(folder, 'published.csv'), text);
  return join(folder, 'published.csv');
}

test("the study's medians are found by architecture, services and rate, whatever other factors a cell has", async () => {
  const published = await readPublishedMedians(study);
  const sidecar = { architecture: 'sidecar', services: 50, rate: 1000 };
  expect(publishedMedianUs(published, { ...sidecar, engine: 'compiled' })).toBeCloseTo(1906893, 0);
  expect(publishedMedianUs(published, { ...sidecar, services: 7 })).toBeUndefined();
  expect(publishedMedianUs(undefined, sidecar)).toBeUndefined();
});

// W as the study prints it, in ms per service.
test.each([
  ['central-entity', 100, 37.131],
  ['central-entity', 500, 295.815],
  ['central-entity', 1000, 727.784],
  ['dynamic-router-3', 100, 8.979],
  ['dynamic-router-3', 500, 111.427],
  ['dynamic-router-6', 500, 47.934],
  ['dynamic-router-6', 1000, 125.817],
  ['sidecar', 100, 5.218],
  ['sidecar', 500, 14.494],
  ['sidecar', 1000, 55.265],
])(
  'the weighted average of the published medians of %s at %i req/s is the published one',
  async (architecture, rate, printed) => {
    const published = await readPublishedMedians(study);
    const cells = published.rows.map(({ factors }) => ({
      factors,
      valid: [],
      invalid: [],
      planned: 0,
      figures: undefined,
    }));
    const sizes = { name: 'services', levels: [5, 10, 25, 50] };
    const averages = weightedAverages({ factors: [sizes], groups: cells, published, drainUs: Number.NaN });
    const found = averages.find(({ factors }) => factors.architecture === architecture && factors.rate === rate);
    expect(found?.published.us).toBeGreaterThan(0);
    // The study prints three decimals; some medians were recovered from W to within 0.1 ms.
    expect((found?.published.us ?? 0) / 1e3).toBeCloseTo(printed, 1);
  },
);

test('a file is rejected if it is missing, lacks medians, or has text in place of a median', async () => {
  await expect(readPublishedMedians(await file('architecture,services\nnone,5\n'))).rejects.toMatchObject({
    code: 'TB_PUBLISHED_INVALID',
    exitCode: 2,
    message: expect.stringContaining('median_rtt_ms'),
  });
  await expect(
    readPublishedMedians(await file('architecture,median_rtt_ms\nnone,5\nsidecar,fast\n')),
  ).rejects.toMatchObject({
    code: 'TB_PUBLISHED_INVALID',
    location: { line: 3 },
  });
  await expect(readPublishedMedians('/nowhere/published.csv')).rejects.toMatchObject({ code: 'TB_PUBLISHED_INVALID' });
});
