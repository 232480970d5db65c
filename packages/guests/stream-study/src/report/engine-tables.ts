/** Engines compared, and what Flink reports of its jobs. */
import {
  formatCount,
  formatFigure,
  formatRatio,
  missing,
  numberColumn,
  type StudyTable,
  textColumn,
} from '@topo-bench/report';
import { median } from '@topo-bench/stats';
import { intervalText } from '@topo-bench/study-kit/interval-text';
import { ratioOf } from '@topo-bench/study-kit/repetition-effect';
import type { StreamEntry } from '../parts.ts';
import { cellColumns, cellRows, cellTexts, pairRows, rateHeading } from './cell-columns.ts';
import type { StreamCell } from './stream-cells.ts';

/** Cells that differ in the engine alone. */
export function enginePairs(cells: readonly StreamCell[]): { embedded: StreamCell; other: StreamCell }[] {
  const keyOf = ({ levels: { streamEngine: _, ...others } }: StreamCell): string =>
    JSON.stringify(Object.entries(others).sort(([one], [other]) => one.localeCompare(other)));
  return cells
    .filter((cell) => engineOf(cell) !== 'embedded')
    .flatMap((other) => {
      const embedded = cells.find((cell) => engineOf(cell) === 'embedded' && keyOf(cell) === keyOf(other));
      return embedded ? [{ embedded, other }] : [];
    });
}

function engineOf({ levels: { streamEngine = 'embedded' } }: StreamCell): string {
  return String(streamEngine);
}

/** Empty where no cell ran on both engines, and the metrics of Flink where none ran on it. */
export function engineTables(cells: readonly StreamCell[]): StudyTable[] {
  return [...comparedTable(cells), ...flinkTable(cells)];
}

function comparedTable(cells: readonly StreamCell[]): StudyTable[] {
  const pairs = enginePairs(cells);
  if (pairs.length === 0) return [];
  return [
    {
      id: 'engines',
      title: 'Engines compared',
      note: 'The same job on both engines. Throughput at full speed, and the ratio to that of the embedded engine: Hodges–Lehmann, with exact 95% rank intervals over repetitions. End-to-end latency at the same rate, p95: exactly once, rows wait for the next checkpoint on Flink, and for nothing on the embedded engine. Flink compiles the classes of each job again; the embedded engine is warm.',
      columns: [
        ...cellColumns(cells),
        numberColumn(`embedded ${rateHeading(cells)}`),
        numberColumn(rateHeading(cells)),
        numberColumn('throughput'),
        textColumn('95% interval'),
        numberColumn('embedded p95 ms'),
        numberColumn('p95 ms'),
      ],
      rows: pairs.map(({ embedded, other }) => {
        const ratio = ratioOf(embedded.rates, other.rates);
        return [
          ...cellTexts(other, cells),
          formatCount(embedded.figures.pointsPerSecond),
          formatCount(other.figures.pointsPerSecond),
          formatRatio(ratio.estimate),
          intervalText(ratio, formatRatio),
          formatFigure(embedded.figures.endToEndP95Ms),
          formatFigure(other.figures.endToEndP95Ms),
        ];
      }),
      cells: pairRows(pairs.map(({ embedded, other }) => [embedded, other])),
    },
  ];
}

function flinkTable(cells: readonly StreamCell[]): StudyTable[] {
  const rows = cells.flatMap((cell) => {
    const jobs = cell.group.valid.flatMap(({ stream }: StreamEntry) => stream?.fullSpeed.flink ?? []);
    const paced = cell.group.valid.flatMap(({ stream }: StreamEntry) => stream?.paced.flink ?? []);
    const tasks = jobs[0]?.tasks ?? [];
    return tasks.map(({ name, parallelism }, at) => {
      const of = (figure: 'recordsPerSecond' | 'busyUs' | 'backPressureUs'): number | undefined => {
        const values = jobs.flatMap(({ tasks }) => tasks[at]?.[figure] ?? []);
        return values.length === 0 ? undefined : median(values);
      };
      const milliseconds = (us: number | undefined): string => (us === undefined ? missing : formatFigure(us / 1e3));
      const checkpoints = (figure: 'completed' | 'meanUs'): number =>
        median(paced.map((job) => job.checkpoints[figure]));
      const texts = [
        ...cellTexts(cell, cells),
        name,
        String(parallelism),
        formatCount(of('recordsPerSecond') ?? 0),
        milliseconds(of('busyUs')),
        milliseconds(of('backPressureUs')),
        ...(at === 0 && paced.length > 0
          ? [formatCount(checkpoints('completed')), formatFigure(checkpoints('meanUs') / 1e3)]
          : [missing, missing]),
      ];
      return { cell, texts };
    });
  });
  if (rows.length === 0) return [];
  return [
    {
      id: 'flink',
      title: 'Jobs on Flink',
      note: 'Metrics of Flink: medians over repetitions. Tasks are chains of operators; records, busy time and back-pressure are those of the job at full speed, of all instances of a task together. Checkpoints are those of the job at the fixed rate: their number, and the mean time of one.',
      columns: [
        ...cellColumns(cells),
        textColumn('task'),
        ...['parallelism', 'records/s', 'busy ms', 'back-pressure ms', 'checkpoints', 'checkpoint ms'].map(
          numberColumn,
        ),
      ],
      rows: rows.map(({ texts }) => texts),
      cells: cellRows(rows.map(({ cell }) => cell)),
    },
  ];
}
