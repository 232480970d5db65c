/** Rows of user-supplied data, where they are known before a run: estimates are those of the data. */
import type { ExperimentCell } from '@topo-bench/trial';
import type { MeasuredStudy, UserData } from './measured-study.ts';

export interface DataRows {
  of(cell: ExperimentCell): number | undefined;
  /** Data on a server is not read before a run; a sentence for estimates of unknown rows. */
  remarks: string[];
}

/**
 * Counts the rows of the same data once: they are the same for all cells.
 * @throws TopoBenchError for data that cannot be read
 */
export async function dataRowsOf(
  cells: readonly ExperimentCell[],
  measuring: (cell: ExperimentCell) => MeasuredStudy,
): Promise<DataRows> {
  const dataOf = (cell: ExperimentCell): (UserData & { id: string }) | undefined => {
    const study = measuring(cell);
    const data = 'openRun' in study ? study.userData?.(cell.settings) : undefined;
    return data && { ...data, id: JSON.stringify([study.kind, data.key]) };
  };
  const all = new Map(cells.flatMap((cell) => dataOf(cell) ?? []).map((data) => [data.id, data]));
  const rows = new Map(await Promise.all([...all].map(async ([id, data]) => [id, await data.rows()] as const)));
  const unknown = [...all.values()].find(({ id }) => rows.get(id) === undefined);
  return {
    of: (cell) => rows.get(dataOf(cell)?.id ?? ''),
    remarks: unknown
      ? [
          `the rows of your data are not known before the run: times are those of ${unknown.assumedRows.toLocaleString('en-US')} rows`,
        ]
      : [],
  };
}
