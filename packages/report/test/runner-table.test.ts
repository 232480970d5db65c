import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { studyMetrics, studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { parseCsv } from '../src/csv.ts';
import { renderPage } from '../src/html/page.ts';
import { renderMarkdown } from '../src/markdown.ts';
import { readReport } from '../src/read-report.ts';
import { cellsCsv, repetitionsCsv } from '../src/tabular.ts';
import { summaryTable } from '../src/terminal/summary-table.ts';
import { syntheticRun } from './fixtures/synthetic-run.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

/** Rounds differ, and the second runner takes 50% more of everything in each of them. */
function withCost(cell: Cell, factor: number): Cell {
  const round = 1 + cell.repetition / 10;
  const cost = { readyMs: 100 * round * factor, stopMs: 10 * round * factor, memoryBytes: 2 ** 20 * round * factor };
  return { ...cell, deployment: { rank: 1, ...cost }, validity: { valid: true, reasons: [], flags: [] } };
}
const factorOf = ({ factors }: Cell): number => (factors.runner === 'elsewhere' ? 1.5 : 1);
const small = { architectures: ['none', 'sidecar'], services: [5], rates: [100], repetitions: 8, requests: 20 };

async function reportOfTwoRunners() {
  const folder = await temporaryFolder();
  const runners = ['here', 'elsewhere'];
  await syntheticRun(folder, { ...small, runners, change: (cell) => withCost(cell, factorOf(cell)) });
  return readReport([folder], studyReportOf, { metrics: studyMetrics });
}

/** Texts of the rows of a Markdown table, by the text of their first column. */
function rowsOf(markdown: string, first: string): string[][] {
  const rows = markdown.split('\n').filter((line) => line.startsWith(`| ${first} |`));
  return rows.map((line) => line.split('|').map((text) => text.trim()));
}

test('runners are compared by what their deployments cost, per setting of the other factors', async () => {
  const text = renderMarkdown(await reportOfTwoRunners());
  expect(text).toContain('### What each runner costs, against here');
  // Medians of rounds 1 to 8: 145 and 217.5.
  for (const architecture of ['none', 'sidecar']) {
    const rows = rowsOf(text, 'until ready').filter((row) => row[2] === architecture);
    expect(rows.map((row) => row.slice(3, -1))).toEqual([
      ['here', '145 ms', '–', '–', ''],
      ['elsewhere', '218 ms', '+50.0%', '+50.0 … +50.0%', 'slower'],
    ]);
  }
  expect(rowsOf(text, 'teardown').map((row) => row[5])).toEqual(['–', '+50.0%', '–', '+50.0%']);
  expect(rowsOf(text, 'memory of all roles').map((row) => row.slice(-2, -1)[0])).toEqual(['', 'worse', '', 'worse']);
  expect(rowsOf(text, 'rtt.median')).toHaveLength(4);
});

test('the answer begins with what each runner costs, and names no level the fastest of one', async () => {
  const sentences = renderMarkdown(await reportOfTwoRunners()).split(/\n+/);
  const at = sentences.findIndex((line) => line.includes('Until ready, against here: elsewhere 1.50×'));
  expect(sentences[at + 1]).toContain('Teardown, against here: elsewhere 1.50×.');
  expect(sentences[at + 2]).toContain('Memory of all roles, against here: elsewhere 1.50×.');
  expect(sentences[at + 3]).toContain('Median round-trip time, against here: elsewhere (no difference is shown).');
  expect(sentences.join()).not.toMatch(/figures are missing|fastest/);
});

test('privileges of one runner only are in the note', async () => {
  const folder = await temporaryFolder();
  const runners = ['here', 'elsewhere'];
  const change = (cell: Cell): Cell => ({
    ...withCost(cell, 1),
    gateway: { priority: cell.factors.runner === 'here' },
  });
  await syntheticRun(folder, { ...small, runners, change });
  const text = renderMarkdown(await readReport([folder], studyReportOf, { metrics: studyMetrics }));
  expect(text).toContain('Note: priority of the gateway: yes with here, no with elsewhere.');
});

test('a row follows the filters with its cell, and a difference also with the cell that it is from', async () => {
  const report = await reportOfTwoRunners();
  const rows = [...renderPage(report, '').matchAll(/<tr([^>]*)><td>until ready<\/td><td>(\w+)<\/td><td>(\w+)<\/td>/g)];
  const at = (architecture: string, runner: string): number =>
    report.groups.findIndex(({ factors }) => factors.architecture === architecture && factors.runner === runner);
  expect(rows.map((row) => row.slice(1))).toEqual(
    ['none', 'sidecar'].flatMap((architecture) => {
      const [here, elsewhere] = [at(architecture, 'here'), at(architecture, 'elsewhere')];
      return [
        [` data-cell="${here}"`, architecture, 'here'],
        [` data-all-cells="${here} ${elsewhere}"`, architecture, 'elsewhere'],
      ];
    }),
  );
});

test('the page and the terminal have the same table', async () => {
  const report = await reportOfTwoRunners();
  const page = renderPage(report, '');
  expect(page).toContain('<h2 id="runners-title">What each runner costs, against here</h2>');
  expect(
    page.match(/<td>until ready<\/td><td>none<\/td><td>elsewhere<\/td><td class="number">218 ms<\/td>/g),
  ).toHaveLength(1);
  expect(summaryTable(report, { columns: 120, colours: false })).toMatch(
    /until ready +none +elsewhere +218 ms +\+50\.0% +\+50\.0 … \+50\.0% +slower/,
  );
});

test('runs of different runners are compared too; runs of one runner are not', async () => {
  const [first, second] = [join(await temporaryFolder(), 'first'), join(await temporaryFolder(), 'second')];
  await syntheticRun(first, { ...small, change: (cell) => withCost(cell, 1) });
  await syntheticRun(second, { ...small, runner: 'elsewhere', change: (cell) => withCost(cell, 1.5) });
  const text = renderMarkdown(await readReport([first, second], studyReportOf, { metrics: studyMetrics }));
  const rows = rowsOf(text, 'until ready').filter((row) => row[2] === 'none');
  expect(rows.map((row) => [row[3], row[5]])).toEqual([
    ['first', '–'],
    ['second', '+50.0%'],
  ]);
  const same = await readReport([second, second], studyReportOf, { metrics: studyMetrics });
  expect(renderMarkdown(same)).not.toContain('What each runner costs');
});

test('CSV files have the cost of deployments, empty where it is unknown', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { ...small, change: (cell) => (factorsOfNone(cell) ? cell : withCost(cell, 1)) });
  const report = await readReport([folder], studyReportOf);
  const columns = (csv: string) => {
    const [header = [], ...rows] = parseCsv(csv);
    const at = header.indexOf('deployment.readyMs');
    expect(header.slice(at, at + 3)).toEqual(['deployment.readyMs', 'deployment.stopMs', 'deployment.memoryBytes']);
    return rows.map((row) => row.slice(at, at + 3).map((text) => text && Math.round(Number(text))));
  };
  expect(columns(cellsCsv(report))).toEqual([
    ['', '', ''],
    [145, 15, 1_520_435],
  ]);
  expect(columns(repetitionsCsv(report)).slice(8)[0]).toEqual([110, 11, 1_153_434]);
});

function factorsOfNone({ factors }: Cell): boolean {
  return factors.architecture === 'none';
}
