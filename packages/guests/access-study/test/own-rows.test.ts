/** Rows of user-supplied files, which estimates of a run need before it. */
import { join } from 'node:path';
import { dataRowsOf, type MeasuredStudy, type StudyWithoutRoles } from '@topo-bench/measured';
import { loadTable, storeSalesData } from '@topo-bench/sources';
import type { ExperimentCell } from '@topo-bench/trial';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/fixtures/small-files.ts';
import { access } from '../src/study.ts';

const folder = temporaryFolder();

it('rows of a file are counted once for all cells that read it', async () => {
  const files = [3, 5].map((rows) => ({ rows, file: join(folder, `${rows}.parquet`) }));
  for (const { rows, file } of files) await loadTable({ kind: 'parquet', file }, storeSalesData({ rows, seed: 1 }));
  const counted: string[] = [];
  const study: MeasuredStudy = {
    ...(access as StudyWithoutRoles),
    userData(settings) {
      const data = (access as StudyWithoutRoles).userData?.(settings);
      if (!data) return undefined;
      return {
        ...data,
        rows() {
          counted.push(data.key);
          return data.rows();
        },
      };
    },
  };
  const cellOf = (variant: string, own?: object) =>
    ({ study, settings: { access: { variant, rows: 7, ...(own && { own }) } } }) as unknown as ExperimentCell;
  const cells = ['native', 'columnar', 'connector'].flatMap((variant) =>
    files.map(({ file }) => cellOf(variant, { file })),
  );
  const all = [...cells, cellOf('native')];
  const rowsOf = await dataRowsOf(all, () => study);
  expect(all.map(rowsOf.of)).toEqual([3, 5, 3, 5, 3, 5, undefined]);
  expect(counted).toEqual(files.map(({ file }) => JSON.stringify({ file })));
  expect(rowsOf.remarks).toEqual([]);
});

it('rows of a table on a server are not known before the run, and a remark names the rows of the estimate', async () => {
  const settings = { access: { rows: 1234, own: { table: 'sales' } } };
  const cell = { study: access, settings } as unknown as ExperimentCell;
  const rows = await dataRowsOf([cell], () => access as MeasuredStudy);
  expect(rows.of(cell)).toBeUndefined();
  expect(rows.remarks).toEqual([expect.stringContaining('times are those of 1,234 rows')]);
});
