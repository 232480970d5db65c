/** Adds the rows of user-supplied data to cells, where they are known before a run: estimates are those of the data. */
import type { ExperimentCell } from './study.ts';

/**
 * Counts the rows of the same data once: they are the same for all cells.
 * @throws TopoBenchError for data that cannot be read
 */
export async function withDataRows<Resolved extends { cells: ExperimentCell[] }>(
  resolved: Resolved,
): Promise<Resolved> {
  const counts = new Map<string, Promise<number | undefined> | undefined>();
  const rowsOf = ({ study, settings }: ExperimentCell): Promise<number | undefined> | undefined => {
    const data = JSON.stringify([study.kind, settings.access?.own]);
    if (!counts.has(data)) counts.set(data, study.dataRows?.(settings));
    return counts.get(data);
  };
  const cells = await Promise.all(
    resolved.cells.map(async (cell) => {
      const dataRows = await rowsOf(cell);
      return dataRows === undefined ? cell : { ...cell, dataRows };
    }),
  );
  return { ...resolved, cells };
}
