import { readReport, renderMarkdown, renderSummary } from '@topo-bench/report';
import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';

/** Cells of a page's table, row by row. */
function cellsOf(page: string): string[][] {
  const [, body = ''] = /<tbody>(.*?)<\/tbody>/s.exec(page) ?? [];
  return [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, text = '']) => text),
  );
}

test('the summary has the answer, and one table with time, CPU, exposure and cost of each architecture', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    architectures: ['none', 'central-entity', 'sidecar'],
    services: [5],
    rates: [100],
    repetitions: 7,
    requests: 20,
    change: (cell) => ({
      ...cell,
      offeredRps: 100,
      cpuUsPerRequest: {
        total: { none: 2000, 'central-entity': 2500, sidecar: 4000 }[String(cell.factors.architecture)] as number,
      },
      outcomes: { completed: 20, refused: 0, error: 0, unfinished: 0 },
      exposureBytes: { personal: cell.factors.architecture === 'sidecar' ? 3 : 0 },
      validity: { valid: true, reasons: [], flags: [] },
    }),
  });
  const price = { perCoreHour: 0.5, currency: 'EUR' };
  const report = await readReport([folder], studyReportOf, { price });
  const page = renderSummary(report);
  // 2 ms at 100 req/s are 0.2 cores; 0.2 · 730 h · 0.5 EUR = 73 EUR. 3 bytes of 20 requests are 150 of 1,000.
  expect(cellsOf(page).map((row) => [row[0], ...row.slice(-3)])).toEqual([
    ['none', '2.000', '–', '73 EUR'],
    ['central-entity', '2.500', '0', '91.3 EUR'],
    ['sidecar', '4.000', '150', '146 EUR'],
  ]);
  expect(page).toContain('Exposed bytes per 1,000 requests: central-entity 0, sidecar 150.');
  expect(page).toMatch(/CPU per request, against sidecar with 4.ms: none −50\.0% \(shown\)/);
  expect(page).toMatch(/Processor time at 100 req\/s costs per month: none 73 EUR/);
  expect(page).toContain('21 of 21 repetitions are valid.');
  expect(page).not.toMatch(/<script|https?:\/\//);
  expect(renderMarkdown(report)).toMatch(/\| sidecar \|.*\| 4\.000 \| 150 \| 146 EUR \|/);
  const withoutPrice = renderSummary(await readReport([folder], studyReportOf));
  expect(withoutPrice).not.toContain('per month');
});

test('the summary escapes what files name, and exists for runs without a comparison', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    name: '<script>alert(1)</script>',
    architectures: ['sidecar'],
    services: [5],
    rates: [100],
    repetitions: 1,
    requests: 3,
  });
  const page = renderSummary(await readReport([folder], studyReportOf));
  expect(page).not.toContain('<script>');
  expect(page).toContain('&lt;script&gt;');
  expect(page).toContain('This run compares nothing; its report has the figures.');
});
