import { type Report, readReport, renderMarkdown } from '@topo-bench/report';
import { renderPage } from '@topo-bench/report/html';
import { summaryTable } from '@topo-bench/report/terminal';
import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../report/test/fixtures/temporary-folder.ts';
import { withTimedRounds } from '../../../../study-kit/test/fixtures/timed-rounds.ts';
import { storeSentences } from '../../src/report/answer-sentences.ts';
import { type StoreFigures, type StoreRunOptions, storeRun } from '../fixtures/store-run.ts';

const base: StoreFigures = { p95Ms: 10, throughputRps: 900, cpuPercent: 40, ramMb: 150 };

async function reportOf(options: Partial<StoreRunOptions> & Pick<StoreRunOptions, 'figuresOf'>): Promise<Report> {
  const folder = await temporaryFolder();
  await storeRun(folder, {
    stores: ['sql-indexed', 'sql-unindexed', 'hybrid-indexed'],
    workloads: ['read-heavy'],
    loads: [100],
    repetitions: 8,
    ...options,
  });
  return readReport([folder], studyReportOf, { boxPlots: true });
}

/** Drifts by round, alike in every store. */
const drift = (repetition: number): number => 1 + repetition / 10;

const clear: StoreRunOptions['figuresOf'] = (store, _, load, repetition) => {
  const slower = store === 'sql-unindexed' ? load / 10 : 1;
  const noise = store === 'hybrid-indexed' && repetition % 2 === 0 ? 1.4 : store === 'hybrid-indexed' ? 0.7 : 1;
  return {
    ...base,
    p95Ms: 10 * slower * noise * drift(repetition),
    throughputRps: (900 * noise) / (2 * slower) / drift(repetition),
  };
};

test('the headline names the store that answers faster, by how much, with intervals, and what is not shown', async () => {
  // Eight rounds are paired: the common drift leaves the ratio of ten exact.
  const [headline] = storeSentences(await reportOf({ figuresOf: clear }));
  expect(headline).toBe(
    'Read-heavy, 100 clients: sql-indexed answers 10.0× [10.0, 10.0] faster at p95 than sql-unindexed and serves 10.0× [10.0, 10.0] as many requests; hybrid-indexed and sql-indexed cannot be told apart.',
  );
});

test('the setting of the headline is the one with the largest shown difference, and one sentence covers all', async () => {
  const sentences = storeSentences(
    await reportOf({ workloads: ['read-heavy', 'mixed'], loads: [20, 100], figuresOf: clear }),
  );
  expect(sentences[0]).toMatch(/^Read-heavy, 100 clients: sql-indexed answers 10\.0×/);
  expect(sentences[1]).toBe(
    'At p95 over 4 settings, compared with sql-indexed: sql-unindexed is slower in 4 (2.00× to 10.0×); hybrid-indexed is not told apart in 4.',
  );
});

test('a store that is faster but serves fewer is not called better', async () => {
  const [headline] = storeSentences(
    await reportOf({
      stores: ['sql-indexed', 'key-value'],
      figuresOf: (store, _, __, repetition) => ({
        ...base,
        p95Ms: (store === 'key-value' ? 5 : 10) * drift(repetition),
        throughputRps: (store === 'key-value' ? 300 : 900) * drift(repetition),
      }),
    }),
  );
  expect(headline).toMatch(
    /^Read-heavy, 100 clients: key-value answers 2\.00× \[.*\] faster at p95 than sql-indexed, but sql-indexed serves 3\.00× /,
  );
});

test('one repetition decides nothing: the figures, one sentence, and how many repetitions could show a difference', async () => {
  const sentences = storeSentences(await reportOf({ repetitions: 1, figuresOf: clear }));
  // Holm over two comparisons: 2 / C(2n, n) is below 0.05 / 2 from n = 5 on (2 / 70 for n = 4).
  expect(sentences.slice(0, 2)).toEqual([
    'Measured once, read-heavy, 100 clients: sql-indexed answered 10.0× faster at p95 than sql-unindexed and served 10.0× as many requests; hybrid-indexed answered 1.43× faster at p95 than sql-indexed and served 0.70× as many requests.',
    'One repetition decides nothing: 5 repetitions of every cell could show a difference.',
  ]);
  expect(sentences.join(' ')).not.toMatch(/ answers | cannot be told/);
});

test('the repetitions that could show a difference have their time and the command that adds them', async () => {
  const report = withTimedRounds(await reportOf({ repetitions: 2, figuresOf: clear }), 60);
  expect(storeSentences(report)[1]).toBe(
    '2 repetitions decide nothing: 5 repetitions of every cell could show a difference (about 3 min more: topo-bench run --resume runs/one --repetitions 5).',
  );
});

test('a store without a valid repetition has no figure in the headline, and is named', async () => {
  const failed = { valid: false, reasons: ['errors exceeded their share'], flags: [] };
  const validityOf: StoreRunOptions['validityOf'] = (store) =>
    store === 'sql-unindexed' ? failed : { valid: true, reasons: [], flags: [] };
  const sentences = storeSentences(await reportOf({ repetitions: 1, figuresOf: clear, validityOf }));
  expect(sentences.slice(0, 2)).toEqual([
    'Measured once, read-heavy, 100 clients: hybrid-indexed answered 1.43× faster at p95 than sql-indexed and served 0.70× as many requests.',
    'Without a figure to compare with sql-indexed: sql-unindexed.',
  ]);
  const none = storeSentences(await reportOf({ repetitions: 1, figuresOf: clear, validityOf: () => failed }));
  expect(none[0]).toBe('No store can be compared with another: figures are missing.');
  const [decided] = storeSentences(await reportOf({ figuresOf: clear, validityOf }));
  expect(decided).toBe(
    'Read-heavy, 100 clients: hybrid-indexed and sql-indexed cannot be told apart; sql-unindexed has no figure to compare with sql-indexed.',
  );
});

test('the sentence over all settings names the settings without a figure of a store', async () => {
  const failed = { valid: false, reasons: ['errors exceeded their share'], flags: [] };
  const validityOf: StoreRunOptions['validityOf'] = (store) =>
    store === 'sql-unindexed' ? failed : { valid: true, reasons: [], flags: [] };
  const sentences = storeSentences(await reportOf({ loads: [20, 100], figuresOf: clear, validityOf }));
  const [over = ''] = sentences.filter((text) => text.startsWith('At p95 over 2 settings'));
  expect(over).toContain('sql-unindexed is without a figure in 2');
  expect(over).toContain('hybrid-indexed is not told apart in 2');
});

test('a store keeps its sentence where its difference is shown, but has no finite ratio', async () => {
  // More than 5% of the requests to the slow store never end.
  const withSlow =
    (slow: string): StoreRunOptions['figuresOf'] =>
    (store, _, __, repetition) => ({
      ...base,
      p95Ms: store === slow ? Number.POSITIVE_INFINITY : 10 * drift(repetition),
      throughputRps: (store === slow ? 90 : 900) / drift(repetition),
    });
  const [headline] = storeSentences(await reportOf({ figuresOf: withSlow('sql-unindexed') }));
  expect(headline).toBe(
    'Read-heavy, 100 clients: sql-indexed answers faster at p95 than sql-unindexed and serves 10.0× [10.0, 10.0] as many requests; hybrid-indexed and sql-indexed differ by less than 5%.',
  );
  const stores = ['sql-indexed', 'sql-unindexed'];
  const onReference = storeSentences(
    await reportOf({
      stores,
      loads: [20, 100],
      figuresOf: (store, ...rest) => ({ ...withSlow('sql-indexed')(store, ...rest), throughputRps: 0 }),
    }),
  );
  expect(onReference[0]).toBe('Read-heavy, 20 clients: sql-unindexed answers faster at p95 than sql-indexed.');
  expect(onReference[1]).toBe('At p95 over 2 settings, compared with sql-indexed: sql-unindexed is faster in 2.');
});

test('hypotheses without data are one sentence, and those with data keep their table', async () => {
  const without = storeSentences(await reportOf({ figuresOf: clear }));
  expect(without).toContain('Hypotheses of the study that were not tested: H1, H2, H3 (no data for document).');
  const report = await reportOf({ stores: ['sql-indexed', 'sql-unindexed', 'document'], figuresOf: clear });
  expect(storeSentences(report).find((text) => text.startsWith('Hypotheses'))).toBe(
    'Hypotheses of the study that were not tested: H2, H3 (a workload or a valid repetition is missing).',
  );
  const [tested] = renderMarkdown(report).match(/(?<=### Hypotheses\n\n)[^#]*/) ?? [];
  expect(tested).toContain('| H1 |');
  expect(tested).not.toContain('| H2 |');
});

test('page, Markdown and terminal have the same words, and the page opens with them', async () => {
  const report = await reportOf({ figuresOf: clear });
  const plain = (text: string): string =>
    text
      .replaceAll(/<\/?span[^>]*>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll(/\s+/g, ' ')
      .replaceAll('\\', '');
  const page = renderPage(report, '');
  const texts = [page, renderMarkdown(report), summaryTable(report, { columns: 90, colours: false })].map(plain);
  const sentences = storeSentences(report);
  expect(sentences.length).toBeGreaterThan(1);
  for (const sentence of sentences) for (const text of texts) expect(text).toContain(sentence);
  expect(page.indexOf('id="answer"')).toBeGreaterThan(0);
  expect(page.match(/<section id="(.*?)"/)?.[1]).toBe('answer');
});

test('stores are data: their names are text on the page', async () => {
  const report = await reportOf({ stores: ['sql-indexed', '<img src=x>'], figuresOf: clear });
  expect(storeSentences(report)[0]).toContain('<img src=x>');
  expect(renderPage(report, '')).not.toContain('<img');
});
