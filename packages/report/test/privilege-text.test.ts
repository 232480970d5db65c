import { studyMetrics, studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { renderPage } from '../src/html/page.ts';
import { renderMarkdown } from '../src/markdown.ts';
import { readReport } from '../src/read-report.ts';
import { summaryTable } from '../src/terminal/summary-table.ts';
import { syntheticRun } from './fixtures/synthetic-run.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

/** @param has returns whether a repetition, 1 to 3, had the privileges; undefined: not recorded */
async function textsOf(has: (repetition: number) => boolean | undefined): Promise<string[]> {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    ...{ architectures: ['sidecar'], services: [5], rates: [100], repetitions: 3, requests: 20 },
    change: (cell) => {
      const priority = has(cell.repetition);
      if (priority === undefined) return cell;
      return { ...cell, generator: { realTimePriority: priority, coresKeptAwake: true }, gateway: { priority } };
    },
  });
  const report = await readReport([folder], studyReportOf, { metrics: studyMetrics });
  const texts = [
    renderPage(report, ''),
    renderMarkdown(report),
    summaryTable(report, { columns: 100, colours: false }),
  ];
  return texts.map((text) => text.replace(/\s+/g, ' '));
}

test('page, Markdown and terminal state the privileges in one sentence', async () => {
  for (const text of await textsOf(() => true)) {
    expect(text).toContain(
      'Privileges: the load generator had real-time priority; cores were kept awake; the gateway had priority over the other roles.',
    );
  }
});

test('missing privileges are named with their effect and the number of repetitions, without advice to be root', async () => {
  for (const text of await textsOf((repetition) => repetition === 2)) {
    expect(text).toContain(
      'the load generator had no real-time priority in 2 of 3 repetitions (on a busy host some requests leave late, and their repetitions are measured again); cores were kept awake; the gateway had no priority over the other roles in 2 of 3 repetitions (on a busy host requests wait for the gateway before they are timed).',
    );
    expect(text).not.toMatch(/as root|sudo/);
  }
});

test('results without such records do not mention them', async () => {
  for (const text of await textsOf(() => undefined)) expect(text).not.toContain('Privileges');
});
