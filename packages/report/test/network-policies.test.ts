import type { Cell } from '@topo-bench/core/schema/result';
import { studyMetrics, studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { renderPage } from '../src/html/page.ts';
import { renderMarkdown } from '../src/markdown.ts';
import { readReport } from '../src/read-report.ts';
import { summaryTable } from '../src/terminal/summary-table.ts';
import { syntheticRun } from './fixtures/synthetic-run.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

type Figures = NonNullable<NonNullable<Cell['deployment']>['networkPolicies']>;

const enforced = (openMs: number): Figures => ({
  ...{ probed: 2, refusedByService: 0, blockedByNetwork: 2 },
  ...{ openMs, probedMs: openMs },
});
const notEnforced: Figures = { probed: 2, refusedByService: 2, blockedByNetwork: 0, probedMs: 2125 };

/** @param figuresOf returns those of a repetition, 1 to 3 */
async function textsOf(figuresOf: (repetition: number) => Figures | undefined): Promise<string[]> {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    ...{ architectures: ['sidecar'], services: [5], rates: [100], repetitions: 3, requests: 20 },
    change: (cell) => {
      const networkPolicies = figuresOf(cell.repetition);
      return { ...cell, deployment: { rank: 1, ...(networkPolicies && { networkPolicies }) } };
    },
  });
  const report = await readReport([folder], studyReportOf, { metrics: studyMetrics });
  return [renderPage(report, ''), renderMarkdown(report), summaryTable(report, { columns: 100, colours: false })];
}

test('page, Markdown and terminal state when the network began to block requests past enforcement', async () => {
  for (const text of await textsOf((repetition) => enforced(300 * repetition))) {
    expect(text).toContain(
      'Requests past the enforcement points: the network blocked them within 300 ms to 900 ms of ready pods.',
    );
  }
});

test('a network that allows requests through is named with the services that refused them, and the number of each', async () => {
  for (const text of await textsOf((repetition) => (repetition === 2 ? enforced(40) : notEnforced))) {
    expect(text).toContain(
      'the network blocked them within 40 ms of ready pods in 1 of 3 repetitions; it let some through for the ' +
        '2.13 s of the probe in 2 of 3 repetitions, and every service refused them.',
    );
  }
});

test('results without network policies do not mention them', async () => {
  for (const text of await textsOf(() => undefined)) expect(text).not.toMatch(/past the enforcement points/);
});
