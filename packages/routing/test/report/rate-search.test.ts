import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readReport, renderMarkdown, renderPage, summaryTable } from '@topo-bench/report';
import { studyReportOf } from '@topo-bench/studies';
import { describe, expect, test } from 'vitest';
import { syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';

/** p95 of the response time in ms, by architecture and rate. */
type Times = (architecture: string, rate: number) => number;

async function reportOf(timeMs: Times, { repetitions = 6, outOfTime = false } = {}) {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    architectures: ['central-entity', 'sidecar'],
    services: [12],
    rates: [80, 90],
    repetitions,
    requests: 3,
    change: (cell) => ({
      ...cell,
      responseTime: {
        ...cell.responseTime,
        p95Us: 1e3 * timeMs(String(cell.factors.architecture), Number(cell.factors.rate)) + cell.repetition,
      },
      resources: { 'central-entity': { eventLoopUtilization: 0.98 }, host: { idlePercent: 40 } },
      validity: { valid: true, reasons: [], flags: [] },
    }),
  });
  const path = join(folder, 'run.json');
  const record = JSON.parse(await readFile(path, 'utf8'));
  record.search = {
    condition: { text: 'p95<50ms', of: 'responseTime', statistic: 'p95Us', boundUs: 50_000 },
    precision: 0.1,
    probes: [
      {
        factors: { architecture: 'central-entity', services: 12, rate: 160 },
        valueUs: 'Infinity',
        met: false,
        reasons: ['in-flight cap'],
      },
    ],
    ...(outOfTime && { outOfTime }),
  };
  await writeFile(path, JSON.stringify(record));
  return readReport([folder], studyReportOf);
}

const text = (report: Awaited<ReturnType<typeof reportOf>>) => summaryTable(report, { columns: 400, colours: false });

describe('the answer of a search for the max rate', () => {
  test('names for each architecture both rates and what was the limit, in every form', async () => {
    const report = await reportOf((architecture, rate) => (architecture === 'sidecar' || rate < 90 ? 20 : 70));
    const sentence =
      'With 12 services, central-entity meets p95<50ms at 80 req/s and no longer at 90 req/s, where the event loop of central-entity is 98% busy.';
    expect(text(report).split('\n')[0]).toBe(sentence);
    expect(text(report)).toContain(
      'sidecar meets p95<50ms at 90 req/s; the rate at which it no longer does is not shown.',
    );
    expect(text(report)).not.toContain('knee');
    expect(renderMarkdown(report)).toContain('central-entity meets p95&lt;50ms at 80 req/s and no longer at 90 req/s');
    const page = renderPage(report, '');
    expect(page).toContain('meets p95&lt;50ms at 80');
    expect(page).toContain('in-flight cap');
  });

  test('does not claim what the repetitions leave open', async () => {
    const straddling = await reportOf((_, rate) => (rate < 90 ? 20 : 49.9965));
    expect(text(straddling)).toMatch(/at 90 req\/s p95 is 50 ms, and the repetitions are on both sides of the bound/);
    const few = await reportOf((_, rate) => (rate < 90 ? 20 : 70), { repetitions: 4, outOfTime: true });
    expect(text(few)).toMatch(
      /the rate up to which central-entity meets p95<50ms is not shown: 6 repetitions of a rate that can be judged are needed, and 80 req\/s has 4/,
    );
    expect(text(few)).toContain('The time limit ended it');
  });
});
