import { type Report, readReport, renderMarkdown } from '@topo-bench/report';
import { renderPage } from '@topo-bench/report/html';
import { studyReportOf } from '@topo-bench/studies';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../report/test/fixtures/temporary-folder.ts';
import { withTimedRounds } from '../../../../study-kit/test/fixtures/timed-rounds.ts';
import { accessSentences } from '../../src/report/access-sentences.ts';
import { type AccessCondition, accessRun } from '../fixtures/access-run.ts';

async function reportOf(conditions: readonly AccessCondition[]): Promise<Report> {
  const folder = await temporaryFolder();
  await accessRun(folder, conditions);
  return readReport([folder], studyReportOf, { boxPlots: true });
}

const sentencesOf = async (conditions: readonly AccessCondition[]): Promise<string[]> =>
  accessSentences(await reportOf(conditions));

const six = (ms: number): number[] => Array.from({ length: 6 }, () => ms);

describe('the answer to a data-access study', () => {
  it('has the fastest variant first, then what each layer costs', async () => {
    const conditions = [
      { variant: 'native', times: six(100) },
      { variant: 'connector-process', times: six(250), parts: { create: 0.12, start: 0.2, read: 0.68 } },
      { variant: 'flight-process', times: six(200) },
      { variant: 'columnar', times: six(50) },
    ];
    // 1,000 rows in 50 ms.
    expect(await sentencesOf(conditions)).toEqual([
      'PostgreSQL, 1,000 rows: columnar (E) reads 2.00 times as fast as native (A) (95% interval 2.00 to 2.00), 20,000 rows/s.',
      'PostgreSQL: connector-process (B) costs 150 ms against native (A) (95% interval +150 ms to +150 ms); 80 ms of its time pass before the first data.',
      'PostgreSQL: flight-process (D) saves 50 ms against connector-process (B) (95% interval −50 ms to −50 ms).',
    ]);
  });

  it('claims no difference that its interval does not show', async () => {
    const sentences = await sentencesOf([
      { variant: 'native', times: [100, 104, 96, 102, 98, 100] },
      { variant: 'columnar', times: [98, 108, 94, 104, 95, 99] },
      { variant: 'connector-process', times: [106, 98, 101, 99, 103, 108] },
    ]);
    expect(sentences[0]).toMatch(/^PostgreSQL, 1,000 rows: no difference was shown between columnar \(E\) and native/);
    expect(sentences[1]).toMatch(
      /^PostgreSQL: connector-process \(B\) shows no difference to native \(A\): \+\S+ ms \(95% interval −\S+ ms to \+/,
    );
  });

  it('has no interval with too few repetitions, and states how many it needs', async () => {
    const sentences = await sentencesOf([
      { variant: 'native', times: [100, 100] },
      { variant: 'columnar', times: [50, 50] },
    ]);
    expect(sentences).toEqual([
      'PostgreSQL, 1,000 rows: columnar (E) reads 2.00 times as fast as native (A) (interval unknown), 20,000 rows/s.',
      'An interval needs 4 valid repetitions of both cells.',
    ]);
  });

  it('has the time of the repetitions that an interval needs, and the command that adds them', async () => {
    const conditions = [
      { variant: 'native', times: [100, 100] },
      { variant: 'columnar', times: [50, 50] },
    ];
    expect(accessSentences(withTimedRounds(await reportOf(conditions), 90))).toContain(
      'An interval needs 4 valid repetitions of both cells (about 3 min more: topo-bench run --resume runs/one --repetitions 4).',
    );
  });

  it('has one sentence for three or more layers, with the layers that show no difference', async () => {
    const conditions = [
      { variant: 'native', times: six(100) },
      { variant: 'connector-process', times: six(250) },
      { variant: 'connector-container', times: six(290) },
      { variant: 'flight-process', times: [240, 260, 245, 255, 248, 252] },
      { variant: 'columnar', times: six(50) },
    ];
    const sentences = await sentencesOf(conditions);
    expect(sentences.slice(1)).toEqual([
      'Layers change the time of a read: connector and JSON lines +150 ms (95% intervals within +150 ms to +150 ms), container +40 ms (95% intervals within +40 ms to +40 ms).',
      'No difference is shown for: Flight server.',
    ]);
  });

  it('names the source of a layer that makes a difference in another one, and counts sources', async () => {
    const near = [950, 1050, 980, 1020, 990, 1010];
    const conditions = ['postgresql', 'parquet'].flatMap((source) => [
      { source, variant: 'connector-container', times: six(2000) },
      { source, variant: 'flight-container', times: six(3000) },
      { source, variant: 'columnar', times: six(source === 'parquet' ? 500 : 1000) },
      { source, variant: 'columnar-container', times: near },
    ]);
    const [, , ...layers] = await sentencesOf(conditions);
    expect(layers[0]).toMatch(/Flight server in a container \+1 s \(in 2 sources; [^)]*\)/);
    expect(layers[0]).toMatch(/columns over Flight from a container \+500 ms \(95% interval/);
    expect(layers[1]).toBe('No difference is shown for: columns over Flight from a container (PostgreSQL).');
  });

  it('has one sentence on the speed of three or more sources', async () => {
    const sources = ['postgresql', 'mongodb', 'parquet'];
    const conditions = sources.flatMap((source, at) => [
      { source, variant: 'native', times: six(100 * (at + 2)) },
      { source, variant: 'columnar', times: six(100) },
    ]);
    expect(await sentencesOf(conditions)).toEqual([
      'columnar (E) reads 2.00 to 4.00 times as fast as native (A) in 3 of 3 sources (95% intervals within 2.00 to 4.00).',
    ]);
  });

  it('is about the largest volume of each source, and has starts on their own', async () => {
    const conditions = ['postgresql', 'parquet'].flatMap((source) =>
      ['native', 'columnar'].flatMap((variant) => [
        { source, variant, volume: 1000, times: six(10) },
        { source, variant, volume: 4000, times: six(variant === 'native' ? 80 : 20) },
        { source, variant, volume: 1000, query: 'one-row' as const, times: six(variant === 'native' ? 4 : 7) },
      ]),
    );
    expect(await sentencesOf(conditions)).toEqual([
      'PostgreSQL, 4,000 rows: columnar (E) reads 4.00 times as fast as native (A) (95% interval 4.00 to 4.00), 200,000 rows/s.',
      'Parquet, 4,000 rows: columnar (E) reads 4.00 times as fast as native (A) (95% interval 4.00 to 4.00), 200,000 rows/s.',
      'PostgreSQL, one row from start to result: native (A) 4 ms, columnar (E) 7 ms.',
      'Parquet, one row from start to result: native (A) 4 ms, columnar (E) 7 ms.',
    ]);
  });

  it('has times and no speed, where only one row is read', async () => {
    const conditions = [4, 7].map((time, at) => ({
      variant: at === 0 ? 'native' : 'connector-process',
      query: 'one-row' as const,
      volume: 1000,
      times: six(time),
    }));
    expect(await sentencesOf(conditions)).toEqual([
      'PostgreSQL, one row from start to result: native (A) 4 ms, connector-process (B) 7 ms.',
      'PostgreSQL: connector-process (B) costs 3 ms against native (A) (95% interval +3 ms to +3 ms).',
    ]);
  });

  it('names variants that delivered wrong rows, and uses none of their times', async () => {
    const sentences = await sentencesOf([
      { variant: 'native', times: six(100) },
      { variant: 'columnar', times: [1, 50, 50, 50, 50, 1], wrong: [1, 6] },
    ]);
    expect(sentences[0]).toContain('columnar (E) reads 2.00 times as fast');
    expect(sentences.at(-1)).toBe('2 repetitions delivered wrong rows and are invalid: columnar (E).');
    const none = await sentencesOf([{ variant: 'native', times: [1], wrong: [1] }]);
    expect(none).toEqual(['No repetition is valid.', '1 repetition delivered wrong rows and is invalid: native (A).']);
  });
});

describe('the page of a data-access study', () => {
  const conditions: AccessCondition[] = [1000, 2000].flatMap((volume) => [
    { variant: 'native', volume, times: six(volume / 10), parts: { connect: 0.1, read: 0.9 } },
    {
      variant: 'connector-container',
      volume,
      times: six(volume / 4),
      parts: { image: 0.04, create: 0.1, start: 0.2, 'first-byte': 0.06, read: 0.5, conversion: 0.08, return: 0.02 },
    },
  ]);
  const sectionsOf = (page: string): Map<string, string> =>
    new Map([...page.matchAll(/<section id="([\w-]+)"[\s\S]*?<\/section>/g)].map(([text, id]) => [id as string, text]));
  const widthsOf = (text: string): number[][] =>
    [...text.matchAll(/<svg class="bar"[\s\S]*?<\/svg>/g)].map(([bar]) =>
      [...bar.matchAll(/ width="([\d.]+)%" y=/g)].map(([, width]) => Number(width)),
    );

  it('has the answer first, then the parts, prices, volumes and findings', async () => {
    const page = renderPage(await reportOf(conditions), '');
    const ids = [...sectionsOf(page).keys()];
    expect(ids.slice(0, 2)).toEqual(['answer', 'parts']);
    expect(ids).toEqual(expect.arrayContaining(['prices', 'volumes', 'findings', 'by-cell', 'resources']));
    expect(sectionsOf(page).get('answer')).toContain('native (A) reads 2.50 times as fast as connector-container (B)');
  });

  it('has one bar per variant, split into its parts, on one scale for each table', async () => {
    const parts = sectionsOf(renderPage(await reportOf(conditions), '')).get('parts') ?? '';
    // 100 ms of 250 ms: 10% and 90% of two fifths of the width.
    expect(widthsOf(parts)).toEqual([
      [4, 36],
      [4, 10, 20, 6, 50, 8, 2],
      [4, 36],
      [4, 10, 20, 6, 50, 8, 2],
    ]);
    expect(parts).toContain('aria-label="connect 10 ms, read 90 ms"');
    expect(parts).toContain('PostgreSQL, 2,000 rows');
  });

  it('has rows per second over the volume for every variant', async () => {
    const volumes = sectionsOf(renderPage(await reportOf(conditions), '')).get('volumes') ?? '';
    expect(volumes).toContain(
      'aria-label="1,000 rows/s against rows, PostgreSQL: native (A) 1,000: 10, 2,000: 10; connector-container (B) 1,000: 4, 2,000: 4"',
    );
    expect(volumes.match(/<polyline/g)).toHaveLength(2);
  });

  it('has a line and a slope for each level of an option', async () => {
    const report = await reportOf(
      [1000, 2000].flatMap((volume) =>
        ['none', 'zstd'].map((codec) => ({
          variant: 'flight-process',
          volume,
          others: { 'access.compression': codec },
          times: six(codec === 'zstd' ? volume / 4 : volume / 10),
          parts: { start: 0.5, read: 0.5 },
        })),
      ),
    );
    const volumes = sectionsOf(renderPage(report, '')).get('volumes') ?? '';
    expect(volumes).toContain(
      'flight-process (D), compression none 1,000: 10, 2,000: 10; flight-process (D), compression zstd 1,000: 4, 2,000: 4',
    );
    const slopes = renderMarkdown(report).match(/^\| PostgreSQL \|.*level \|$/gm) ?? [];
    expect(slopes.map((row) => row.split('|')[3]?.trim())).toEqual(['compression none', 'compression zstd']);
  });

  it('has the time after the start in the slope, and the start in none of it', async () => {
    // 100 ms of start, then 10,000 rows/s.
    const report = await reportOf(
      [1000, 2000].map((volume) => {
        const ms = 100 + volume / 10;
        const start = { discover: 40 / ms, create: 30 / ms, start: 20 / ms, 'first-byte': 10 / ms };
        return { variant: 'connector-pod', volume, times: six(ms), parts: { ...start, read: volume / 10 / ms } };
      }),
    );
    expect(renderMarkdown(report)).toMatch(/\| connector-pod \(C\) \| \+0\.0% \| .* \| \+33\.3% \| .* \| level \|/);
  });

  it('has texts of the run as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    const report = await reportOf(
      ['none', hostile].map((level) => ({ variant: 'flight-process', others: { engine: level }, times: six(9) })),
    );
    expect(renderPage(report, '')).not.toContain(hostile);
    expect(renderMarkdown(report)).not.toMatch(/(^|[^\\])<img/m);
  });
});
