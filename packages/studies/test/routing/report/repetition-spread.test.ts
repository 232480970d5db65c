import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readReport } from '@topo-bench/report';
import { expect, test } from 'vitest';
import { syntheticRun } from '../../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../../report/test/fixtures/temporary-folder.ts';
import { studyReportOf } from '../../../src/index.ts';
import { answerOf } from '../../../src/routing/report/answer.ts';
import { answerSentences } from '../../../src/routing/report/answer-sentences.ts';
import { floorSentence, floorSource, floors } from '../../../src/routing/report/floor.ts';

const page = readFileSync(fileURLToPath(new URL(`../../../../../${floorSource}`, import.meta.url)), 'utf8');

test('the floors that reports print are those of the page that they name', () => {
  const rows = [...page.matchAll(/^\| (\w+) \| ([\w -]+?) \| (\d+) \| (\d+)% \|$/gm)].map(
    ([, mode, figure, pairs, percent]) => [mode, figure, Number(pairs), Number(percent)],
  );
  const printed = Object.entries(floors).flatMap(([mode, floor]) => [
    [mode, 'median RTT', floor.pairs, floor.rttMedianPercent],
    [mode, 'p95 RTT', floor.pairs, floor.rttP95Percent],
    [mode, 'CPU per request', floor.pairs, floor.cpuPercent],
  ]);
  expect(printed.length).toBeGreaterThan(0);
  expect(rows).toEqual(printed);
});

test('a report prints the floor of its deployment mode, if it is known', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { repetitions: 5, requests: 20, rates: [100], services: [5] });
  const report = await readReport([folder], studyReportOf);
  const [run] = report.runs;
  const withMode = (deploy: string) => {
    const runs = [{ ...run!, record: { ...run!.record, experiment: { deploy } } }];
    return answerSentences(answerOf({ ...report, runs })!, '∞').join(' ');
  };
  expect(withMode('fresh')).toContain(
    'Noise floor (deploy: fresh): half of 28 pairs of measurements of the same cell, on two shared cores, differed by 14%',
  );
  expect(withMode('interleaved')).not.toContain('floor');
});

test('a simulated run has no floor', () => {
  const record = { experiment: { deploy: 'fresh' } } as never;
  expect(floorSentence([{ record, cells: [{ source: 'simulated' }] }])).toBeUndefined();
  expect(floorSentence([{ record, cells: [{ source: 'measured' }] }])).toContain('no evidence');
});
