import { readReport } from '@topo-bench/report';
import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';
import { weightedAverages } from '../../src/report/weighted-average.ts';

const measured = async (folder: string) => ({ ...(await readReport([folder], studyReportOf)), published: undefined });

const median = (us: number) => (summary: object) => ({ ...summary, medianUs: us }) as never;

test('W is the mean over the numbers of services of median/N', async () => {
  const folder = await temporaryFolder();
  const medians: Record<number, number> = { 5: 50_000, 10: 30_000 };
  await syntheticRun(folder, {
    architectures: ['sidecar'],
    rates: [100],
    repetitions: 1,
    requests: 3,
    change: (cell) => ({ ...cell, rtt: median(medians[cell.factors.services as number] ?? 0)(cell.rtt) }),
  });
  const [average] = weightedAverages(await measured(folder));
  expect(average?.measured).toEqual({ us: (50_000 / 5 + 30_000 / 10) / 2, atLeast: false });
});

test('with unfinished requests W is a lower bound that counts them with the time waited', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    architectures: ['sidecar'],
    rates: [100],
    repetitions: 1,
    requests: 3,
    change: (cell) => ({
      ...cell,
      rtt: median(cell.factors.services === 10 ? Number.POSITIVE_INFINITY : 50_000)(cell.rtt),
    }),
  });
  const [average] = weightedAverages(await measured(folder));
  expect(average?.measured).toEqual({ us: (50_000 / 5 + 60e6 / 10) / 2, atLeast: true });
});

test('without all numbers of services there is no W', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    architectures: ['sidecar'],
    rates: [100],
    repetitions: 1,
    requests: 3,
    change: (cell) => (cell.factors.services === 10 ? undefined : cell),
  });
  expect(weightedAverages(await measured(folder))[0]?.measured.us).toBeNaN();
});
