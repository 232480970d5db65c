import { join } from 'node:path';
import type { RunFolder } from '@topo-bench/core';
import { type ReportModel, readReport, renderMarkdown, renderPage, summaryTable } from '@topo-bench/report';
import { openRun, readSamples } from '@topo-bench/results';
import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';
import { type SameRequests, sameRequestsOf } from '../../src/report/same-requests.ts';

const small = { services: [5], rates: [100], repetitions: 3, requests: 60 };

function sameRequests({ groups, runs: [run] }: ReportModel, readSamples: boolean): Promise<SameRequests[]> {
  return sameRequestsOf(groups, () => run as RunFolder, readSamples);
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(half)] as number)
    : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}

test('if rules refuse requests, medians cover the requests that all architectures completed', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { ...small, architectures: ['none', 'central-entity', 'sidecar'] });
  const report = await readReport([folder], studyReportOf, { boxPlots: true });

  // The same, straight from the files.
  const run = await openRun(folder);
  const times = new Map<string, Map<string, number>>();
  for (const { factors, repetition, samples } of run.cells) {
    const completed = (await readSamples(join(folder, samples as string))).filter(
      ({ outcome }) => outcome === 'completed',
    );
    times.set(
      `${factors.architecture} ${repetition}`,
      new Map(completed.map(({ id, rttUs }) => [id, rttUs as number])),
    );
  }
  const of = (architecture: string, repetition: number) =>
    times.get(`${architecture} ${repetition}`) as Map<string, number>;
  const ids = (repetition: number) =>
    [...of('none', repetition).keys()].filter(
      (id) => of('central-entity', repetition).has(id) && of('sidecar', repetition).has(id),
    );
  const expected = (architecture: string) =>
    middle(
      [1, 2, 3].map((repetition) =>
        middle(ids(repetition).map((id) => of(architecture, repetition).get(id) as number)),
      ),
    );

  const [setting, ...more] = await sameRequests(report, true);
  expect(more).toEqual([]);
  expect(setting?.common).toBe(ids(1).length + ids(2).length + ids(3).length);
  expect(setting?.common).toBeLessThan(180);
  expect(setting?.levels.map(({ architecture, requests, medianUs }) => ({ architecture, requests, medianUs }))).toEqual(
    ['none', 'central-entity', 'sidecar'].map((architecture) => ({
      architecture,
      requests: 180,
      medianUs: expect.closeTo(expected(architecture), 6),
    })),
  );
  for (const text of [summaryTable(report, { columns: 400, colours: false }), renderMarkdown(report)]) {
    expect(text).toContain('Architectures completed different requests.');
    expect(text).toMatch(
      new RegExp(
        `completed none 180 of 180, central-entity \\d+ of 180, .* On the ${setting?.common} that all completed, the medians are none`,
      ),
    );
  }
  expect(renderPage(report, '')).toContain('The same requests under every architecture');
});

test('without samples there are counts, but no medians', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { ...small, architectures: ['none', 'sidecar'] });
  const report = await readReport([folder], studyReportOf);
  expect(await sameRequests(report, false)).toMatchObject([
    { common: Number.NaN, levels: [{ completed: 180 }, { architecture: 'sidecar' }] },
  ]);
  const text = summaryTable(report, { columns: 400, colours: false });
  expect(text).toContain('completed none 180 of 180, sidecar');
  expect(text).not.toContain('that all completed');
});

test('there is no setting to report if every architecture completed every request', async () => {
  const folder = await temporaryFolder();
  const outcomes = { completed: 60, refused: 0, error: 0, unfinished: 0 };
  await syntheticRun(folder, {
    ...small,
    architectures: ['none', 'sidecar'],
    change: (cell) => ({ ...cell, outcomes }),
  });
  const report = await readReport([folder], studyReportOf, { boxPlots: true });
  expect(await sameRequests(report, true)).toEqual([]);
  expect(summaryTable(report, { columns: 400, colours: false })).not.toContain('different requests');
});
