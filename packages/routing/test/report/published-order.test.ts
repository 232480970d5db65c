import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readReport } from '@topo-bench/report';
import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';

/** The sentence on the published order, of a run in which the central entity is twice as fast as the sidecars. */
async function sentenceFor(centralMs: number, sidecarMs: number): Promise<string | undefined> {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    architectures: ['central-entity', 'sidecar'],
    services: [5],
    rates: [100],
    repetitions: 7,
    requests: 3,
    change: (cell) => {
      const medianUs = (cell.factors.architecture === 'sidecar' ? 20_000 : 10_000) + cell.repetition;
      return { ...cell, rtt: { ...cell.rtt, medianUs }, validity: { valid: true, reasons: [], flags: [] } };
    },
  });
  const published = join(folder, 'published.csv');
  const rows = [`central-entity,5,100,${centralMs}`, `sidecar,5,100,${sidecarMs}`];
  await writeFile(published, ['architecture,services,rate_rps,median_rtt_ms', ...rows, ''].join('\n'));
  const { study } = await readReport([folder], studyReportOf, { published });
  return study.answer?.().find((sentence) => sentence.includes('published order'));
}

test('an order that the publication has the other way round is named, with both', async () => {
  expect(await sentenceFor(30, 12)).toBe(
    "The published order is the opposite of this run's in 1 of 1 shown differences, e.g. published central-entity 30 ms and sidecar 12 ms, while here central-entity is −50.0% against sidecar.",
  );
});

test('the same order, and equal medians, need no sentence', async () => {
  expect(await sentenceFor(12, 30)).toBeUndefined();
  expect(await sentenceFor(12, 12)).toBeUndefined();
});
