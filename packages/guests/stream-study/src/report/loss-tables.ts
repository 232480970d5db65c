/** What a death costs: processors that were killed and resumed, and crossings that only a grid had. */
import { formatCount, formatFigure, missing, numberColumn, type StudyTable } from '@topo-bench/report';
import { median } from '@topo-bench/stats';
import type { StreamFigures } from '../measurement.ts';
import type { StreamEntry } from '../parts.ts';
import { cellColumns, cellRows, cellTexts } from './cell-columns.ts';
import type { StreamCell } from './stream-cells.ts';

/** Empty without killed processors. */
export function recoveryTable(cells: readonly StreamCell[]): StudyTable[] {
  const killed = cells.flatMap((cell) => {
    const jobs = measured(cell).flatMap(({ recovery }) => recovery ?? []);
    return jobs.length > 0 ? [{ cell, jobs }] : [];
  });
  if (killed.length === 0) return [];
  return [
    {
      id: 'recovery',
      title: 'Killed processors',
      note: 'A job at a fixed rate whose processor was killed, and resumed from its checkpoint by a new one at full speed. Jobs of all repetitions. Medians: processed elements in the checkpoint, elements read again, and the time from the kill to the end of the job. Sums: cells that differ from the oracle, and crossings that are missing or too many. Exactly once, they must be 0; at least once, none may be lost.',
      columns: [
        ...cellColumns(cells),
        ...['jobs', 'in checkpoint', 'read again', 'resumed in ms', 'wrong', 'lost', 'duplicated'].map(numberColumn),
      ],
      rows: killed.map(({ cell, jobs }) => [
        ...cellTexts(cell, cells),
        String(jobs.length),
        formatCount(median(jobs.map(({ resumedAt }) => resumedAt))),
        formatCount(median(jobs.map(({ replayed }) => replayed))),
        formatFigure(median(jobs.map(({ resumeUs }) => resumeUs)) / 1e3),
        ...(['wrong', 'lost', 'duplicated'] as const).map((key) =>
          formatCount(jobs.reduce((sum, job) => sum + job[key], 0)),
        ),
      ]),
      cells: cellRows(killed.map(({ cell }) => cell)),
    },
  ];
}

/** Empty without a grid. */
export function gridTable(cells: readonly StreamCell[]): StudyTable[] {
  const behind = cells.filter((cell) => measured(cell).some(({ fullSpeed }) => fullSpeed.grid));
  if (behind.length === 0) return [];
  return [
    {
      id: 'grid',
      title: 'What the death of the grid would lose',
      note: 'Crossings that only the grid had at the last acknowledgement of a job, and the time in which it wrote them to the database afterwards: medians and maxima over all repetitions. A job that is resumed from the checkpoints in the database adds them again.',
      columns: [
        ...cellColumns(cells),
        ...['full speed: unflushed', 'max', 'flush ms', 'at the rate: unflushed', 'max of it', 'flush ms of it'].map(
          numberColumn,
        ),
      ],
      rows: behind.map((cell) => [
        ...cellTexts(cell, cells),
        ...(['fullSpeed', 'paced'] as const).flatMap((job) => {
          const grids = measured(cell).flatMap((stream) => stream[job].grid ?? []);
          if (grids.length === 0) return [missing, missing, missing];
          const unflushed = grids.map((grid) => grid.unflushed);
          return [
            formatCount(median(unflushed)),
            formatCount(Math.max(...unflushed)),
            formatFigure(median(grids.map(({ flushUs }) => flushUs)) / 1e3),
          ];
        }),
      ]),
      cells: cellRows(behind),
    },
  ];
}

function measured({ group }: StreamCell): StreamFigures[] {
  return [...group.valid, ...group.invalid].flatMap(({ stream }: StreamEntry) => stream ?? []);
}
