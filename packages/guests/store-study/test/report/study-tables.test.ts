import { fileURLToPath } from 'node:url';
import { readReport, renderMarkdown } from '@topo-bench/report';
import { renderPage } from '@topo-bench/report/html';
import { summaryTable } from '@topo-bench/report/terminal';
import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../report/test/fixtures/temporary-folder.ts';
import { compositeScores } from '../../src/report/composite.ts';
import { readPublishedAverages } from '../../src/report/published-averages.ts';
import { studyCells } from '../../src/report/study-cells.ts';
import { studyTables } from '../../src/report/study-tables.ts';
import { storeRun } from '../fixtures/store-run.ts';

const study = fileURLToPath(new URL('../../../../../experiments/published/persistence-study.csv', import.meta.url));

async function run(repetitions = 3): Promise<string> {
  const folder = await temporaryFolder();
  await storeRun(folder, {
    stores: ['sql-indexed', 'sql-unindexed', 'document'],
    workloads: ['read-heavy', 'mixed'],
    loads: [1, 100],
    repetitions,
    // Repetition 2 is the median of three.
    figuresOf: (store, _, load, repetition) => {
      const worse = store === 'sql-unindexed' ? 4 : store === 'document' ? 2 : 1;
      return {
        p95Ms: worse * (load === 1 ? 2 : 8) * repetition,
        throughputRps: 900 / worse,
        cpuPercent: 40,
        ramMb: 150 * worse,
      };
    },
  });
  return folder;
}

test('averages are means over the loads of medians over repetitions, next to the published ones', async () => {
  const report = await readReport([await run()], studyReportOf);
  const tables = studyTables(report, await readPublishedAverages(study));
  const averages = tables.find(({ id }) => id === 'averages');
  const headings = averages?.columns.map(({ heading }) => heading);
  expect(headings?.slice(0, 4)).toEqual(['store', 'workload', 'p95 (ms)', 'published']);
  const row = averages?.rows.find(([store, workload]) => store === 'document' && workload === 'read-heavy');
  // (2·2·2 + 2·8·2) / 2 = 20; the study's row of the document store under read-heavy load.
  expect(row).toEqual([
    'document',
    'read-heavy',
    '20.00',
    '113.8',
    '450.0',
    '313.2',
    '40.00',
    '46.37',
    '300.0',
    '1199',
  ]);
});

test('the composite score is 1 for the best store in every metric and 0 for the worst, within a workload', async () => {
  const cells = studyCells(await readReport([await run()], studyReportOf));
  const of = (name: string) =>
    compositeScores(cells).find(({ store, workload }) => store === name && workload === 'mixed')?.score;
  // CPU is alike for all three: it counts a half for each.
  expect(of('sql-indexed')).toBeCloseTo((1 + 1 + 0.5 + 1) / 4);
  expect(of('sql-unindexed')).toBeCloseTo((0 + 0 + 0.5 + 0) / 4);
  // p95 and RAM a third of the way from best (1) to worst (4) at 2; throughput (450 − 225) / (900 − 225).
  expect(of('document')).toBeCloseTo((2 / 3 + 1 / 3 + 0.5 + 2 / 3) / 4);
});

test('every condition has its validity, its flags, and its reason not to count', async () => {
  const folder = await temporaryFolder();
  await storeRun(folder, {
    stores: ['sql-indexed', 'document'],
    workloads: ['mixed'],
    loads: [1, 100],
    repetitions: 2,
    figuresOf: () => ({ p95Ms: 2, throughputRps: 900, cpuPercent: 40, ramMb: 150 }),
    validityOf: (store, _, load, repetition) => ({
      valid: !(store === 'document' && load === 100),
      reasons: store === 'document' && load === 100 ? ['a process died'] : [],
      flags: load === 1 ? [] : repetition === 1 ? ['host-saturated'] : ['host-saturated', 'cold'],
    }),
  });
  const tables = studyTables(await readReport([folder], studyReportOf));
  const rows = tables.find(({ id }) => id === 'by-load')?.rows.map((row) => [row[0], row[2], row[4], ...row.slice(-2)]);
  expect(rows).toEqual([
    ['sql-indexed', '1', '2.000', '2/2', ''],
    ['sql-indexed', '100', '2.000', '2/2', 'host-saturated; cold in 1'],
    ['document', '1', '2.000', '2/2', ''],
    ['document', '100', '–', '0/2', 'invalid: a process died'],
  ]);
  const averages = tables.find(({ id }) => id === 'averages');
  expect(averages?.rows.find(([store]) => store === 'document')?.[2]).toBe('–');
});

test('page, Markdown and terminal have verdicts, averages and every load, and nothing of round-trip times', async () => {
  const report = await readReport([await run(1)], studyReportOf, { published: study, boxPlots: true });
  const page = renderPage(report, '');
  const texts = [page, renderMarkdown(report), summaryTable(report, { columns: 200, colours: false })];
  for (const text of texts) {
    expect(text).toContain('undecided');
    expect(text).toContain('sql-unindexed');
    expect(text).toContain('313.2');
    expect(text).not.toMatch(/round-trip/i);
  }
  // Four metrics, and median and p95 over connections, for each of two workloads.
  expect(page.match(/<figure class="plot">/g)).toHaveLength(12);
  expect(page).toMatch(/aria-label="Composite score of each store/);
  expect(page).toContain('fsync=on');
  expect(page).not.toMatch(/NaN|undefined/);
});

test('thresholds of the experiment are answered everywhere', async () => {
  const folder = await temporaryFolder();
  await storeRun(folder, {
    stores: ['document'],
    workloads: ['mixed'],
    loads: [10],
    repetitions: 2,
    thresholds: ['persistence.successRps > 800'],
    figuresOf: () => ({ p95Ms: 2, throughputRps: 900, cpuPercent: 40, ramMb: 150 }),
  });
  const report = await readReport([folder], studyReportOf, { boxPlots: true });
  const texts = [
    renderPage(report, ''),
    renderMarkdown(report),
    summaryTable(report, { columns: 200, colours: false }),
  ];
  for (const text of texts) expect(/Threshold persistence\.successRps \\?(>|&gt;) 800: /.test(text)).toBe(true);
});

test('a file with published figures of another kind of study is rejected', async () => {
  const medians = study.replace('persistence', 'routing');
  await expect(readReport([await run(1)], studyReportOf, { published: medians })).rejects.toMatchObject({
    code: 'TB_PUBLISHED_INVALID',
    message: expect.stringContaining('no column configuration, workload'),
  });
});

test('the clients that a store bears are a sentence, a chart and a table, by its response times', async () => {
  const folder = await temporaryFolder();
  const noise = [1, 1.04, 0.97, 1.02, 0.99, 1.01];
  await storeRun(folder, {
    stores: ['sql-indexed', 'sql-unindexed'],
    workloads: ['mixed'],
    loads: [10, 20, 40],
    repetitions: 6,
    figuresOf: (store, _, load, repetition) => ({
      p95Ms: (store === 'sql-unindexed' && load === 40 ? 50 : 5) * (noise[repetition - 1] as number),
      throughputRps: 900,
      cpuPercent: 40,
      ramMb: 150,
    }),
  });
  const report = await readReport([folder], studyReportOf);
  const [page, markdown, text] = [
    renderPage(report, ''),
    renderMarkdown(report),
    summaryTable(report, { columns: 400, colours: false }),
  ];
  for (const form of [page, markdown, text]) {
    expect(form).toMatch(/sql-unindexed bears 20 clients; at 40 clients no limit was found, and the median is 10\.\d×/);
    expect(form).toMatch(/sql-indexed bears 40 clients, the highest level of the run/);
  }
  const rows = text.split('\n').filter((line) => / (within|beyond|open) *$/.test(line));
  expect(rows.map((row) => row.trim().split(/ +/).at(-1))).toEqual([
    'within',
    'within',
    'within',
    'within',
    'within',
    'beyond',
  ]);
  expect(page).toContain('<section id="trend-connections"');
  const label = /aria-label="Median response time over connections: [^"]*/.exec(page)?.[0];
  expect(label).toMatch(/sql-unindexed 10: 5\.\d+ ms, 20: 5\.\d+ ms, 40: 50\.\d+ ms/);
  expect(page.match(/text-anchor="middle" fill="var\(--c\)">knee</g)).toHaveLength(2);
});
