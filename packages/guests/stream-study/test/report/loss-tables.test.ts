import { expect, test } from 'vitest';
import { pageSections } from '../../src/report/page-sections.ts';
import { streamTables } from '../../src/report/stream-tables.ts';
import { around, entriesOf, streamModel } from './stream-model.ts';

const factors = { database: 'redis', windows: 'none' };

test('killed processors have a row for each cell with lost and duplicated crossings of all repetitions', () => {
  const recovery = { killedAfterUs: 1e6, resumedAt: 4000, replayed: 600, resumeUs: 250_000 };
  const model = streamModel([
    { factors, rates: around(10, 3), more: { recovery: { ...recovery, wrong: 2, lost: 5, duplicated: 7 } } },
    { factors: { ...factors, windows: '1 s' }, rates: around(10, 3) },
  ]);
  // Lost crossings make a repetition invalid: its figures count here all the same.
  const [group] = model.groups;
  if (group) Object.assign(group, { valid: group.valid.slice(0, 1), invalid: group.valid.slice(1) });
  const tables = streamTables(model);
  const rows = tables.find(({ id }) => id === 'recovery')?.rows;
  expect(rows).toEqual([['redis', 'none', '3', '4,000', '600', '250.0', '6', '15', '21']]);
  expect(pageSections(model, tables).map(({ id }) => id)).toContain('recovery');
});

test('a grid has what its death would have lost, at full speed and at the rate', () => {
  const [plain] = entriesOf(streamModel([{ factors, rates: [10] }]));
  const run = plain?.stream?.fullSpeed;
  if (!run) throw new Error('no figures');
  const more = {
    fullSpeed: { ...run, grid: { unflushed: 9000, flushUs: 42_000 } },
    paced: { ...run, grid: { unflushed: 150, flushUs: 3000 } },
  };
  const model = streamModel([{ factors, rates: [10], more }]);
  const tables = streamTables(model);
  expect(tables.find(({ id }) => id === 'grid')?.rows).toEqual([
    ['redis', 'none', '9,000', '9,000', '42.00', '150', '150', '3.000'],
  ]);
  expect(pageSections(model, tables).map(({ id }) => id)).toContain('grid');
});

test('runs without a grid and killed processors have neither table', () => {
  const ids = streamTables(streamModel([{ factors, rates: around(10) }])).map(({ id }) => id);
  expect(ids).not.toContain('recovery');
  expect(ids).not.toContain('grid');
});
