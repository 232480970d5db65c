import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { readReport } from '@topo-bench/report';
import { summaryTable } from '@topo-bench/report/terminal';
import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';
import { answerOf } from '../../src/report/answer.ts';
import { answerSentences } from '../../src/report/answer-sentences.ts';

const published = fileURLToPath(new URL('../../../../experiments/published/routing-study.csv', import.meta.url));
const plain = { columns: 120, colours: false };

/** Lines from the table of round-trip times on. */
function tableOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.slice(lines.findIndex((line) => line.startsWith('Round-trip time in ms')));
}

test('a row shows the figures of its cell in ms, aligned under their headings', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    architectures: ['none', 'sidecar'],
    services: [5],
    rates: [100],
    repetitions: 1,
    requests: 4,
    change: (cell) => ({
      ...cell,
      rtt: {
        ...cell.rtt,
        ...{
          minUs: 400,
          q1Us: 600,
          medianUs: 812.34,
          q3Us: 1000,
          p95Us: 12_340,
          p99Us: 123_400,
          maxUs: 1_234_000,
          meanUs: 900,
          stdUs: 10,
        },
      },
    }),
  });
  const lines = tableOf(summaryTable(await readReport([folder], studyReportOf), plain));
  expect(lines[0]).toBe('Round-trip time in ms, 100 req/s, 5 services');
  expect(lines[1]).toMatch(/^architecture +min +Q1 +median +Q3 +p95 +p99 +max +mean +std +sent\/s +reps +flags$/);
  expect(lines[2]?.split(/ {2,}/).slice(0, 10)).toEqual([
    'none',
    '0.4000',
    '0.6000',
    '0.8123',
    '1.000',
    '12.34',
    '123.4',
    '1234',
    '0.9000',
    '0.01000',
  ]);
  for (const heading of ['min', 'median', 'std']) {
    const end = (lines[1] as string).indexOf(heading) + heading.length;
    expect(lines[2]?.[end - 1]).toMatch(/\d/);
    expect(lines[2]?.[end]).toBe(' ');
  }
});

test('the study fits into 80, 100, 120 and 140 columns; what does not fit is named', async () => {
  const folder = await temporaryFolder();
  const architectures = ['central-entity', 'dynamic-router-3', 'dynamic-router-6', 'sidecar'];
  await syntheticRun(folder, {
    architectures,
    services: [5, 10, 25, 50],
    rates: [100, 500, 1000],
    repetitions: 1,
    requests: 20,
  });
  const report = await readReport([folder], studyReportOf, { published });
  for (const columns of [80, 100, 120, 140]) {
    const text = summaryTable(report, { columns, colours: false });
    const table = tableOf(text).slice(0, 50);
    expect(Math.max(...table.map(({ length }) => length))).toBeLessThanOrEqual(columns);
    for (const heading of ['architecture', 'req/s', 'services', 'Q1', 'median', 'Q3', 'p95', 'published', 'reps']) {
      expect(table[1]).toContain(heading);
    }
    expect(text.includes('Left out for lack of width')).toBe(columns < 140);
    expect(table[1]?.includes('unfinished')).toBe(columns > 80);
    expect(text).toContain('> 60 s');
    expect(text).toContain('Weighted average per service W in ms: mean of median/N over N = 5, 10, 25, 50');
  }
});

test('colours change nothing but colours', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    repetitions: 2,
    requests: 30,
    change: (cell) => ({ ...cell, decisions: { ...cell.decisions, wrong: 1 } }),
  });
  const report = await readReport([folder], studyReportOf);
  const [without, coloured] = [false, true].map((colours) => summaryTable(report, { columns: 120, colours }));
  expect(without).not.toContain('\u001b');
  expect(coloured).toContain('\u001b');
  expect(stripVTControlCharacters(coloured as string)).toBe(without);
});

test('invalid repetitions are listed with their reasons, wrong decisions counted even there', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    architectures: ['sidecar'],
    services: [5],
    rates: [100],
    repetitions: 2,
    requests: 10,
    change: (cell) =>
      cell.repetition === 1
        ? cell
        : {
            ...cell,
            decisions: { ...cell.decisions, wrong: 2 },
            validity: { valid: false, reasons: ['2 wrong decisions'], flags: [] },
          },
  });
  const text = summaryTable(await readReport([folder], studyReportOf), plain);
  expect(text).toContain('1/2');
  expect(text).toMatch(/2 of \d+ decisions were wrong/);
  expect(text).toContain('the cell, repetition 2: 2 wrong decisions');
});

test('repetitions that were measured again are listed, and not called invalid', async () => {
  const folder = await temporaryFolder();
  const late = ({ repetition }: { repetition: number }) => (repetition === 2 ? 1 : 0);
  await syntheticRun(folder, {
    architectures: ['sidecar'],
    services: [5],
    rates: [100],
    repetitions: 2,
    requests: 10,
    late,
  });
  const text = summaryTable(await readReport([folder], studyReportOf), plain);
  expect(text).not.toContain('Invalid repetitions');
  expect(text).toMatch(
    /\n\nMeasured again, since .*\n {2}the cell, repetition 2: scheduler lag <p99> 1 ms; median round-trip time [\d.]+ m?µ?s, then .*\n/,
  );
});

test('any other factors have their columns, and an empty run its rows', async () => {
  const folder = await temporaryFolder();
  const more = { engine: 'compiled', 'load.connections': 10 };
  await syntheticRun(folder, { more, repetitions: 1, requests: 3, change: () => undefined, status: 'interrupted' });
  const text = summaryTable(await readReport([folder], studyReportOf), plain);
  expect(text).toContain('engine compiled, connections 10');
  expect(text.match(/0\/1/g)).toHaveLength(16);
});

test('control characters in names do not reach the terminal', async () => {
  const folder = await temporaryFolder();
  const more = { engine: 'evil\u001b]0;title\u0007\u202e' };
  await syntheticRun(folder, { architectures: ['none'], services: [5], rates: [1], repetitions: 1, requests: 2, more });
  const text = summaryTable(await readReport([folder], studyReportOf), plain);
  expect(text).toContain('evil�]0;title��');
  for (const character of ['\u001b', '\u0007', '\u202e']) expect(text).not.toContain(character);
});

test('box plots of all cells share one axis, next to their names, and fit', async () => {
  const folder = await temporaryFolder();
  const architectures = ['central-entity', 'dynamic-router-3', 'sidecar'];
  await syntheticRun(folder, { architectures, services: [5, 10], rates: [100], repetitions: 2, requests: 60 });
  for (const boxPlots of [true, false]) {
    const report = await readReport([folder], studyReportOf, { boxPlots, published });
    for (const columns of [60, 80, 120]) {
      const lines = summaryTable(report, { columns, colours: false }).split('\n');
      const from = lines.findIndex((line) => line.startsWith('Box plots of the round-trip time'));
      const rows = lines.slice(from + 2, from + 8);
      expect(rows.filter((line) => /┃/.test(line))).toHaveLength(6);
      expect(rows[0]).toMatch(/^central-entity +5 /);
      expect(Math.max(...lines.slice(from, from + 8).map(({ length }) => length))).toBeLessThanOrEqual(columns);
      expect(lines[from + 8]).toContain('◆ published median');
      expect(lines[from + 8]?.includes('minimum and maximum')).toBe(!boxPlots);
    }
  }
});

test('the answer comes first, as the page gives it, in lines that fit', async () => {
  const folder = await temporaryFolder();
  const thresholds = ['rtt.median < 10s'];
  await syntheticRun(folder, {
    architectures: ['none', 'central-entity', 'sidecar'],
    services: [5],
    rates: [100],
    requests: 40,
    thresholds,
  });
  const report = await readReport([folder], studyReportOf);
  for (const columns of [60, 100]) {
    const text = summaryTable(report, { columns, colours: false });
    const answer = text.split('\n\n')[0] as string;
    expect(Math.max(...answer.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(columns);
    const [headline, ...points] = answer
      .replaceAll(/\n {2}/g, ' ')
      .replace(/^([^•]*)\n/, (line) => `${line.replaceAll('\n', ' ').trim()}\n`)
      .split('\n• ');
    const [said, ...more] = answerSentences(answerOf(report)!, '> 60 s');
    expect(headline).toBe(said);
    expect(points).toEqual([expect.stringMatching(/^Threshold rtt\.median < 10s: passed/), ...more]);
  }
});
