import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { readReport } from '../../src/read-report.ts';
import { syntheticRun } from '../fixtures/synthetic-run.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

test('cells are ordered as the study lays them out: architecture, rate, services', async () => {
  const folder = await temporaryFolder();
  const architectures = ['sidecar', 'dynamic-router-10', 'none', 'dynamic-router-3', 'central-entity'];
  await syntheticRun(folder, { architectures, services: [10, 5], rates: [500, 100], repetitions: 1, requests: 3 });
  const { groups } = await readReport([folder], studyReportOf);
  expect(
    groups.map(({ factors }) => [factors.architecture, factors.rate, factors.services].join(' ')).slice(0, 5),
  ).toEqual(['none 100 5', 'none 100 10', 'none 500 5', 'none 500 10', 'central-entity 100 5']);
  expect([...new Set(groups.map(({ factors }) => factors.architecture))]).toEqual([
    'none',
    'central-entity',
    'dynamic-router-3',
    'dynamic-router-10',
    'sidecar',
  ]);
});

test('a figure of a cell is the median over its valid repetitions; invalid ones have no part in it', async () => {
  const folder = await temporaryFolder();
  const medians = [100, 900, 300, 1e9];
  await syntheticRun(folder, {
    architectures: ['none'],
    services: [5],
    rates: [100],
    repetitions: 4,
    requests: 5,
    change: (cell) => ({
      ...cell,
      rtt: { ...cell.rtt, medianUs: medians[cell.repetition - 1] as number },
      validity: cell.repetition === 4 ? { valid: false, reasons: ['sent late'], flags: [] } : cell.validity,
    }),
  });
  const [group] = (await readReport([folder], studyReportOf)).groups;
  expect(group?.figures?.rtt.medianUs).toBe(300);
  expect(group).toMatchObject({ planned: 4, valid: [{}, {}, {}], invalid: [{ repetition: 4 }] });
});

test('planned cells that were never measured are there, without figures', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    repetitions: 1,
    requests: 3,
    change: (cell) => (cell.factors.architecture === 'none' ? cell : undefined),
  });
  const { groups } = await readReport([folder], studyReportOf);
  expect(groups).toHaveLength(16);
  expect(groups.filter(({ figures }) => figures === undefined)).toHaveLength(12);
});

test('several runs become levels of a factor; simulated cells are marked', async () => {
  const [one, other] = [await temporaryFolder(), await temporaryFolder()];
  const small = { architectures: ['none'], services: [5], rates: [100], repetitions: 1, requests: 3 };
  await syntheticRun(`${one}-measured`, small);
  await syntheticRun(`${other}-simulated`, { ...small, source: 'simulated' });
  const { factors, groups } = await readReport([`${one}-measured`, `${other}-simulated`], studyReportOf);
  expect(factors.find(({ name }) => name === 'run')?.levels).toEqual(['run-measured', 'run-simulated']);
  expect(groups.map(({ factors: levels }) => levels.source)).toEqual(['measured', 'simulated']);
});

test('box plots pool the completed requests of valid repetitions and fall back to summaries where samples are gone', async () => {
  const folder = await temporaryFolder();
  const cells = await syntheticRun(folder, {
    architectures: ['none'],
    services: [5],
    rates: [100],
    repetitions: 2,
    requests: 50,
  });
  const [box] = (await readReport([folder], studyReportOf, { boxPlots: true })).boxPlots.rtt.values();
  expect(box).toMatchObject({ from: 'samples', count: 100 });
  expect(box?.repetitionMediansUs).toEqual(cells.map(({ rtt }) => rtt.medianUs));

  await rm(join(folder, cells[1]?.samples as string));
  const { boxPlots, groups } = await readReport([folder], studyReportOf, { boxPlots: true });
  expect([...boxPlots.rtt.values()]).toMatchObject([
    { from: 'summaries', medianUs: groups[0]?.figures?.rtt.medianUs, outliers: 0 },
  ]);
});
