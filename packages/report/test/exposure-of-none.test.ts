import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { renderPage } from '../src/html/page.ts';
import { readReport } from '../src/read-report.ts';
import { cellsCsv, repetitionsCsv } from '../src/tabular.ts';
import { summaryTable } from '../src/terminal/summary-table.ts';
import { syntheticRun } from './fixtures/synthetic-run.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

test('without enforcement the exposure is unknown, and never 0', async () => {
  const folder = await temporaryFolder();
  const exposed = { none: {}, sidecar: { personal: 120 } };
  await syntheticRun(folder, {
    architectures: Object.keys(exposed),
    services: [5],
    rates: [100],
    repetitions: 1,
    requests: 4,
    change: (cell) => ({ ...cell, exposureBytes: exposed[cell.factors.architecture as keyof typeof exposed] }),
  });
  const report = await readReport([folder], studyReportOf);
  const cost = summaryTable(report, { columns: 140, colours: false }).split('Cost and decisions')[1] ?? '';
  const last = (start: string): string | undefined => cost.match(new RegExp(`^${start} .*?(\\S+)$`, 'm'))?.[1];
  expect([last('none'), last('sidecar')]).toEqual(['–', '120']);
  for (const csv of [cellsCsv(report), repetitionsCsv(report)]) {
    const [header = '', none = '', sidecar = ''] = csv.split('\r\n');
    const at = header.split(',').indexOf('exposureBytes');
    expect([none.split(',')[at], sidecar.split(',')[at]]).toEqual(['', '120']);
  }
  const page = renderPage(report, '');
  const table = page.slice(page.indexOf('exposed bytes per 1000 requests by category'));
  const row = /none<\/t[hd]>(.*?)<\/tr>/s.exec(table)?.[1] ?? '';
  expect(row).toContain('–');
  expect(row).not.toMatch(/>0 B</);
});
