import { summarise } from '@topo-bench/stats';
import { studyReportOf } from '@topo-bench/studies';
import { describe, expect, it, test } from 'vitest';
import { formatMs, formatRatio, infiniteText, timesOf } from '../src/figure-text.ts';
import { renderPage } from '../src/html/page.ts';
import { renderMarkdown } from '../src/markdown.ts';
import { readReport } from '../src/read-report.ts';
import { cellsCsv } from '../src/tabular.ts';
import { summaryTable } from '../src/terminal/summary-table.ts';
import { syntheticRun } from './fixtures/synthetic-run.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

const infinity = Number.POSITIVE_INFINITY;

test.each([
  [0.00432, '0.0043×'],
  [0.0999, '0.1×'],
  [0.27, '0.27×'],
  [1.8, '1.80×'],
  [9.999, '10.0×'],
  [387.4, '387×'],
  [0, '0.00×'],
])('the ratio %d is %s', (ratio, text) => {
  expect(formatRatio(ratio)).toBe(text);
});

describe('the text of an endless figure', () => {
  it('is the drain, with the unit that fits', () => {
    expect(infiniteText(60e6)).toBe('> 60 s');
    expect(infiniteText(1.5e6, [200, 1e6, infinity, Number.NaN])).toBe('> 1.5 s');
    expect(infiniteText(250e3)).toBe('> 250 ms');
    expect(infiniteText(Number.NaN, [1])).toBe('∞');
  });

  it.each([61.2344e6, 61.2355e6, 99.99951e6, 75_044_999.9, 123_456_789])('is never below %d µs next to it', (us) => {
    const bound = Number(/^> ([\d.]+) s$/.exec(infiniteText(60e6, [1, us, infinity]))?.[1]);
    expect(1000 * bound).toBeCloseTo(Number(formatMs(us, '')), 6);
  });
});

/** Tokens of a row: endless figures as the bound that is shown for them, in ms, and finite figures in ms. */
function figuresIn(texts: readonly string[]): { bounds: number[]; finite: number[] } {
  const bounds = texts
    .flatMap((text) => /^(?:>|&gt;) ([\d.]+) s$/.exec(text)?.[1] ?? [])
    .map((text) => 1000 * Number(text));
  return { bounds, finite: texts.filter((text) => /^[\d.]+$/.test(text)).map(Number) };
}

test('no table shows a bound below a finite figure next to it, and each counts what never finished', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    architectures: ['none', 'sidecar'],
    services: [5],
    rates: [100],
    repetitions: 1,
    requests: 4,
    change: (cell) => ({
      ...cell,
      rtt: summarise([1000, 2000, 75_044_000, 76_123_000], 1),
      unfinished: 1,
      outcomes: { ...cell.outcomes, unfinished: 1 },
    }),
  });
  const report = await readReport([folder], studyReportOf);
  const page = renderPage(report, '');
  const table = page.slice(page.indexOf('all figures of the round-trip time in milliseconds'));
  const rows = {
    terminal: summaryTable(report, { columns: 160, colours: false })
      .split('\n')
      .filter((line) => line.startsWith('sidecar') && line.includes('> '))
      .map((line) => line.split(/ {2,}/)),
    markdown: renderMarkdown(report)
      .split('\n')
      .filter((line) => line.startsWith('| sidecar'))
      .slice(-1)
      .map((line) => line.split('|').map((text) => text.trim())),
    page: [...table.slice(0, table.indexOf('</table>')).matchAll(/<tr.*?<\/tr>/gs)]
      .map(([row]) => [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, text = '']) => text.trim()))
      .filter((texts) => texts[0]?.includes('sidecar')),
  };
  for (const [name, found] of Object.entries(rows)) {
    expect(found, name).toHaveLength(1);
    const { bounds, finite } = figuresIn(found[0] as string[]);
    // p95, maximum, mean and deviation at least.
    expect(bounds.length, name).toBeGreaterThanOrEqual(4);
    expect(finite, name).toContain(76123);
    expect(Math.min(...bounds), name).toBeGreaterThanOrEqual(Math.max(...finite));
  }
  const [header = '', none = ''] = cellsCsv(report).split('\r\n');
  const field = (key: string): string | undefined => none.split(',')[header.split(',').indexOf(key)];
  expect([field('rtt.meanUs'), field('rtt.stdUs'), field('rtt.q3Us'), field('unfinished')]).toEqual([
    'Infinity',
    'Infinity',
    '76123000',
    '1',
  ]);
});

test('the times of a summary are its figures without the count', () => {
  expect(timesOf(summarise([1, 2, 3], 1))).toHaveLength(10);
});
