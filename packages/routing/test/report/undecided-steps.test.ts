import type { Cell } from '@topo-bench/core/schema/result';
import { readReport, renderMarkdown, renderPage, summaryTable } from '@topo-bench/report';
import { studyReportOf } from '@topo-bench/studies';
import { describe, expect, it } from 'vitest';
import { syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';

async function shown(undecidedOf: (cell: Cell) => Cell['undecided']) {
  const folder = await temporaryFolder();
  const change = (cell: Cell): Cell => {
    const undecided = undecidedOf(cell);
    return { ...cell, ...(undecided && { undecided }) };
  };
  const architectures = ['central-entity', 'sidecar'];
  await syntheticRun(folder, { architectures, services: [5], rates: [100], repetitions: 2, requests: 3, change });
  const report = await readReport([folder], studyReportOf);
  const text = summaryTable(report, { columns: 160, colours: false }).replace(/\s+/g, ' ');
  return [text, renderMarkdown(report), renderPage(report, '')] as const;
}

describe('steps that pass without a decision', () => {
  it('are a sentence and a row of each cell that fails open, in every format', async () => {
    const [text, markdown, page] = await shown(({ factors, repetition }) =>
      factors.architecture === 'sidecar'
        ? { requests: repetition, steps: 10 * repetition, exposedBytes: { payment: 20, personal: 3 * repetition } }
        : undefined,
    );
    const sentence =
      'Passed without a decision, with the bytes that the rules would have withheld: ' +
      'sidecar 30 steps of 3 requests, with 49 B.';
    for (const format of [text, markdown, page]) expect(format).toContain(sentence);
    expect(text).toContain('architecture undecided of requests exposed sidecar 30 3 49 B');
    expect(markdown).toContain('| sidecar | 30 | 3 | 49 B |');
    expect(page).toContain('<section id="undecided-steps"');
  });

  it('are none by a sentence where enforcement fails open and never had to', async () => {
    const none = { requests: 0, steps: 0, exposedBytes: {} };
    for (const format of await shown(() => none))
      expect(format).toContain('No step passed without a decision, though enforcement fails open.');
  });

  it('are no part of a report where enforcement fails closed', async () => {
    for (const format of await shown(() => undefined)) expect(format).not.toMatch(/without a decision|undecided/);
  });
});
