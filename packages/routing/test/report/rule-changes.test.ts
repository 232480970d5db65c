import type { Cell } from '@topo-bench/core/schema/result';
import { readReport, renderPage, summaryTable } from '@topo-bench/report';
import { studyReportOf } from '@topo-bench/studies';
import { describe, expect, test } from 'vitest';
import { type SyntheticOptions, syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';

const none = { requests: 0, decisions: 0, letThrough: 0, refused: 0, exposedBytes: {}, lastUs: 0 };
const stalenessOf = ({ factors, repetition }: Cell): Cell['staleness'] => {
  if (factors.architecture === 'central-entity') {
    return {
      versions: [{ digest: 'a', confirmedAfterUs: 3000, lastUs: 0 }],
      sinceConfirmed: none,
      sinceAsked: none,
      torn: 0,
    };
  }
  const lastUs = 1000 * repetition;
  return {
    versions: [{ digest: 'a', confirmedAfterUs: 9000, lastUs }],
    sinceConfirmed: { ...none, requests: 1, decisions: 2 },
    sinceAsked: {
      ...none,
      requests: 2,
      decisions: 5,
      letThrough: 3,
      refused: 1,
      exposedBytes: { payment: 16 },
      lastUs,
    },
    torn: 4,
  };
};

async function shown(options: SyntheticOptions) {
  const folder = await temporaryFolder();
  const architectures = ['central-entity', 'sidecar'];
  await syntheticRun(folder, { architectures, services: [12], rates: [100], requests: 3, repetitions: 6, ...options });
  const report = await readReport([folder], studyReportOf);
  return { text: summaryTable(report, { columns: 200, colours: false }), page: renderPage(report, '') };
}

describe('changes of rules', () => {
  test('are a sentence and a row for each cell, with an interval over six changes', async () => {
    const { text, page } = await shown({ change: (cell) => ({ ...cell, staleness: stalenessOf(cell) }) });
    const words = text.replace(/\s+/g, ' ');
    expect(words).toContain(
      '• sidecar: old rules decided requests that were sent up to 6.000 ms after a change was asked for (median 3.500 [1.000, 6.000] ms of 6 changes), let data through in 18 decisions that the new rules refuse, and refused data in 6 decisions that the new rules allow. ' +
        '• In 1 of 2 cells no old rules decided a request that was sent after a change was asked for. ' +
        '• Old rules made 12 decisions for requests that were sent after a change was confirmed. ' +
        '• In 1 of 2 cells 24 requests were decided by two versions.',
    );
    const row = text.split('\n').find((line) => line.startsWith('sidecar') && line.includes('96 B'));
    expect(row?.replace(/\s+/g, ' ').trim()).toBe(
      'sidecar 6 9.000 [9.000, 9.000] 3.500 [1.000, 6.000] 6.000 30 18 96 B 6 12 24',
    );
    expect(page).toContain('<section id="rule-changes"');
  });

  test('are no part of a report without any', async () => {
    const { text, page } = await shown({});
    expect(text).not.toContain('Changes of rules');
    expect(page).not.toContain('rule-changes');
  });
});
