import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pageSections } from '../../src/report/page-sections.ts';
import { readPublishedMeans } from '../../src/report/published-means.ts';
import { streamTables } from '../../src/report/stream-tables.ts';
import { around, streamModel } from './stream-model.ts';

const study = fileURLToPath(new URL('../../../../../experiments/published/stream-store-study.csv', import.meta.url));

test('published means of the measured workloads are next to the figures of the run', async () => {
  const published = await readPublishedMeans(study);
  expect(published).toHaveLength(96);
  const factors = { job: 'copy', database: 'mysql', entries: 700 };
  const model = streamModel([
    { factors: { ...factors, windows: 'none', grid: 'none' }, rates: around(1000) },
    { factors: { ...factors, windows: '1 s', grid: 'none' }, rates: around(600) },
    { factors: { ...factors, windows: 'none', grid: 'hazelcast' }, rates: around(4000) },
  ]);
  const tables = streamTables(model, published);
  const rows = tables.find(({ id }) => id === 'published')?.rows ?? [];
  // Twelve stores, with and without windows; figures of MariaDB from the study's second workload.
  expect(rows).toHaveLength(24);
  const filled = rows.filter((row) => row.at(-1) !== '–');
  expect(filled).toEqual([
    ['copy', 'mariadb', 'no', '52,934', 'mysql', '1,005', '980 to 1,030'],
    ['copy', 'mariadb', 'yes', '46,856', 'mysql, 1 s', '603', '588 to 618'],
    ['copy', 'hazelcast+mariadb', 'no', '252,000', 'mysql', '4,020', '3,920 to 4,120'],
  ]);
  const page = pageSections(model, tables, published).find(({ id }) => id === 'published');
  expect(JSON.stringify(page)).toContain('hazelcast+mariadb, published, no windows: 252,000 per second');
  expect(JSON.stringify(page)).toContain('mysql, here, windows: 603 per second');
});

test('a report without published means has no such table', () => {
  const model = streamModel([{ factors: { database: 'redis', windows: 'none' }, rates: around(10) }]);
  expect(streamTables(model).map(({ id }) => id)).not.toContain('published');
});
