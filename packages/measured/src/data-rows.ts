/** Rows of user-supplied data, where they are known before a run: estimates are those of the data. */
import type { ExperimentCell } from '@topo-bench/trial';
import type { MeasuredStudy } from './measured-study.ts';

/**
 * Counts the rows of the same data once: they are the same for all cells.
 * @throws TopoBenchError for data that cannot be read
 */
export async function dataRowsOf(
  cells: readonly ExperimentCell[],
  measuring: (cell: ExperimentCell) => MeasuredStudy,
): Promise<(cell: ExperimentCell) => number | undefined> {
  const counts = new Map<string, Promise<number | undefined>>();
  for (const cell of cells) {
    const study = measuring(cell);
    if (!('openRun' in study) || !study.dataRows || counts.has(keyOf(cell))) continue;
    counts.set(keyOf(cell), study.dataRows(cell.settings));
  }
  const rows = new Map(await Promise.all([...counts].map(async ([key, count]) => [key, await count] as const)));
  return (cell) => rows.get(keyOf(cell));
}

/** Data on a server is not read before a run. */
export function unknownRows(
  cells: readonly ExperimentCell[],
  rowsOf: (cell: ExperimentCell) => number | undefined,
): string[] {
  const unknown = cells.find((cell) => cell.settings.access?.own && rowsOf(cell) === undefined);
  const rows = unknown?.settings.access?.rows;
  if (rows === undefined) return [];
  return [
    `the rows of your data are not known before the run: times are those of ${rows.toLocaleString('en-US')} rows`,
  ];
}

function keyOf({ study, settings }: ExperimentCell): string {
  return JSON.stringify([study.kind, settings.access?.own]);
}
