/** Rows of user-supplied files, which estimates of a run need before it. */
import { join } from 'node:path';
import { dataRowsOf, type MeasuredStudy, type StudyWithoutRoles } from '@topo-bench/measured';
import { loadTable, storeSalesData } from '@topo-bench/sources';
import type { ExperimentCell } from '@topo-bench/trial';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/fixtures/small-files.ts';
import { access } from '../../src/access/study.ts';

const folder = temporaryFolder();

it('rows of a file are counted once for all cells that read it', async () => {
  const files = [3, 5].map((rows) => ({ rows, file: join(folder, `${rows}.parquet`) }));
  for (const { rows, file } of files) await loadTable({ kind: 'parquet', file }, storeSalesData({ rows, seed: 1 }));
  const counted: unknown[] = [];
  const study = {
    ...access,
    dataRows(settings: ExperimentCell['settings']) {
      counted.push(settings.access?.own?.file);
      return (access as StudyWithoutRoles).dataRows?.(settings) ?? Promise.resolve(undefined);
    },
  } as MeasuredStudy;
  const cellOf = (variant: string, own?: object) =>
    ({ study, settings: { access: { variant, ...(own && { own }) } } }) as unknown as ExperimentCell;
  const cells = ['native', 'columnar', 'connector'].flatMap((variant) =>
    files.map(({ file }) => cellOf(variant, { file })),
  );
  const all = [...cells, cellOf('native')];
  const rowsOf = await dataRowsOf(all, () => study);
  expect(all.map(rowsOf)).toEqual([3, 5, 3, 5, 3, 5, undefined]);
  expect(counted).toEqual([files[0]?.file, files[1]?.file, undefined]);
});
