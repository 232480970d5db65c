import { readReport } from '@topo-bench/report';
import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';
import { exampleCell } from '../../../results/test/fixtures/example-record.ts';
import { answerOf } from '../../src/report/answer.ts';
import { answerSentences } from '../../src/report/answer-sentences.ts';
import { spreadSentence } from '../../src/report/repetition-spread.ts';

const cells = (architecture: string, mediansUs: readonly number[]) =>
  mediansUs.map((medianUs, index) => {
    const cell = exampleCell({ architecture }, index + 1);
    const validity = { valid: true, reasons: [], flags: [] };
    const rtt = { ...cell.rtt, medianUs, p95Us: 2 * medianUs };
    return { ...cell, rtt, validity, cpuUsPerRequest: { total: 50 } };
  });

test('the spread of a run is that of half the pairs of its own repetitions, cell by cell', () => {
  // 2%, 10% and 12.2% in one cell, 21% in the other: half differ by 11% or more.
  const both = [...cells('none', [1000, 1020, 1122]), ...cells('sidecar', [5000, 6050])];
  expect(spreadSentence([{ cells: both }])).toBe(
    'Half of the 4 pairs of repetitions of the same cell here differed by at least 11% in the median, 11% in p95 and 0% in CPU per request: a smaller difference between single repetitions is no evidence.',
  );
  expect(spreadSentence([{ cells: cells('none', [1000, 1100]) }])).toMatch(/^The only pair .* differed by 10% in the/);
});

test('a run without two valid measured repetitions of a cell has no spread', () => {
  expect(spreadSentence([{ cells: [...cells('none', [1000]), ...cells('sidecar', [1100])] }])).toBeUndefined();
  const [one, other] = cells('none', [1000, 1100]);
  const invalid = { ...other!, validity: { valid: false, reasons: ['late'], flags: [] } };
  expect(spreadSentence([{ cells: [one!, invalid] }])).toBeUndefined();
  const simulated = cells('none', [1000, 1100]).map((cell) => ({ ...cell, source: 'simulated' as const }));
  expect(spreadSentence([{ cells: simulated }])).toBeUndefined();
});

test('a report prints the spread of its own repetitions', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { repetitions: 5, requests: 20, rates: [100], services: [5] });
  const report = await readReport([folder], studyReportOf);
  const sentences = answerSentences(answerOf(report)!, '∞').join(' ');
  expect(sentences).toMatch(/Half of the \d+ pairs of repetitions of the same cell here differed by /);
});
