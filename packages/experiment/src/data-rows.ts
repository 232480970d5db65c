/** Adds the rows of user-supplied data to cells, where they are known before a run: estimates are those of the data. */
import type { ExperimentCell } from './study.ts';

/** @throws TopoBenchError for data that cannot be read */
export async function withDataRows<Resolved extends { cells: ExperimentCell[] }>(
  resolved: Resolved,
): Promise<Resolved> {
  const cells = await Promise.all(
    resolved.cells.map(async (cell) => {
      const dataRows = await cell.study.dataRows?.(cell.settings);
      return dataRows === undefined ? cell : { ...cell, dataRows };
    }),
  );
  return { ...resolved, cells };
}
