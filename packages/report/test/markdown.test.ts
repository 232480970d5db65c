import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { renderMarkdown } from '../src/markdown.ts';
import { readReport } from '../src/read-report.ts';
import { syntheticRun } from './fixtures/synthetic-run.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

test('answer, table and exclusions, with as many fields in each row as in the header', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    repetitions: 2,
    requests: 20,
    change: (cell) =>
      cell.repetition === 2 ? { ...cell, validity: { valid: false, reasons: ['sent late'], flags: [] } } : cell,
  });
  const text = renderMarkdown(await readReport([folder], studyReportOf));
  expect(text).toMatch(
    /^## synthetic\n\nNo architecture is shown to be the fastest of those that enforce rules in any of 4 settings/,
  );
  const tables = text.split('\n\n').filter((block) => block.startsWith('|'));
  const table = tables.find((block) => block.includes('| Q1 |'))?.split('\n') ?? [];
  for (const one of tables) expect(new Set(one.split('\n').map((line) => line.split('|').length)).size).toBe(1);
  expect(table).toHaveLength(18);
  expect(new Set(table.map((line) => line.split('|').length)).size).toBe(1);
  expect(text.match(/^- .*repetition 2: sent late$/gm)).toHaveLength(16);
});

test('repetitions that were measured again are listed with the reason and both medians', async () => {
  const folder = await temporaryFolder();
  const late = ({ factors }: { factors: Record<string, unknown> }) => (factors.architecture === 'sidecar' ? 2 : 0);
  await syntheticRun(folder, { services: [5], rates: [100], repetitions: 1, requests: 20, late });
  const text = renderMarkdown(await readReport([folder], studyReportOf));
  expect(text).not.toContain('Invalid repetitions');
  expect(text).toContain(
    '\n\nMeasured again, since requests left late or other programs had the processors; the earlier measurements are in none of the figures:\n\n- sidecar',
  );
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('- ') && line.includes('repetition 1: scheduler lag'));
  expect(
    lines.map((line) => line.match(/&lt;p99&gt; (\d) ms; median round-trip time (.*), then (.*)$/)?.slice(1)),
  ).toEqual(['1', '2'].map((ms) => [ms, expect.stringMatching(/^[\d.]+ ms$/), expect.stringMatching(/^[\d.]+ ms$/)]));
});

test('names cannot break out of their cell', async () => {
  const folder = await temporaryFolder();
  const more = { engine: '<img src=x>|`code` [link](http://x) @someone\n# heading' };
  await syntheticRun(folder, {
    architectures: ['none', 'sidecar'],
    services: [5],
    rates: [1],
    repetitions: 1,
    requests: 2,
    more,
  });
  const text = renderMarkdown(await readReport([folder], studyReportOf));
  expect(text).not.toMatch(/<img|(?<!\\)`|(?<!\\)\[link|@someone|^# heading/m);
  expect(text).toContain('&lt;img src=x&gt;\\|');
});
