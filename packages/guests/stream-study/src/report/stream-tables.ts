/** A stream study as tables of texts, the same in the terminal, in Markdown and on the page. */
import { medianInterval } from '@topo-bench/comparison';
import {
  formatCount,
  formatFigure,
  formatRatio,
  missing,
  numberColumn,
  type StudyTable,
  textColumn,
} from '@topo-bench/report';
import type { ReportModel } from '@topo-bench/report/model';
import { flagTexts } from '@topo-bench/results';
import { intervalText, medianIntervalText, percentText } from '@topo-bench/study-kit/interval-text';
import { alpha, ratioOf } from '@topo-bench/study-kit/repetition-effect';
import { queueOf } from '../engine/queue-growth.ts';
import type { StreamEntry } from '../parts.ts';
import { searchLimits } from '../sustained-search.ts';
import { cellColumns, cellRows, cellTexts, pairRows, rateHeading } from './cell-columns.ts';
import { engineTables } from './engine-tables.ts';
import { findingTable } from './findings/finding-table.ts';
import { gridTable, recoveryTable } from './loss-tables.ts';
import type { PublishedMean } from './published-means.ts';
import { publishedTable } from './published-table.ts';
import { comparedCells, type StreamCell, streamCells, windowPairs } from './stream-cells.ts';

/** @param published shown next to the figures of the run */
export function streamTables(report: ReportModel, published?: readonly PublishedMean[]): StudyTable[] {
  const cells = streamCells(report);
  return [
    throughputTable(cells),
    ...databaseTable(cells),
    ...windowTable(cells),
    ...engineTables(cells),
    ...findingTable(cells),
    ...publishedTable(published, cells),
    latencyTable(cells),
    resourceTable(cells),
    checkTable(cells),
    ...recoveryTable(cells),
    ...gridTable(cells),
  ];
}

function throughputTable(cells: readonly StreamCell[]): StudyTable {
  const [low, high] = searchLimits.map((share) => `${Math.round(share * 100)}%`);
  return {
    id: 'throughput',
    title: 'Throughput',
    note: `Median over the valid repetitions with its 95% interval (6 repetitions or more). Full speed: back-pressure of the database sets the rate. Sustained: highest of the tried rates, between ${low} and ${high} of full speed, at which the database keeps up: the source does not fall behind by more than 5% of the time, and the database needs less than 5% of it after the end of the points.`,
    columns: [
      ...cellColumns(cells),
      numberColumn(rateHeading(cells)),
      textColumn('95% interval'),
      numberColumn('sustained'),
      textColumn('95% interval of it'),
      numberColumn('valid'),
      textColumn('flags'),
    ],
    rows: cells.map((cell) => [
      ...cellTexts(cell, cells),
      formatCount(cell.figures.pointsPerSecond),
      medianIntervalText(cell.rates, formatCount),
      formatCount(cell.figures.sustainedPerSecond),
      medianIntervalText(cell.sustained, formatCount),
      `${cell.group.valid.length}/${cell.group.planned}`,
      flagTexts(cell.group.valid).join(', '),
    ]),
    cells: cellRows(cells),
  };
}

export function throughputInterval(values: ReadonlyMap<number, number>): [low: number, high: number] {
  return medianInterval([...values.values()], alpha);
}

/** Each database against the slowest of the same settings. */
function databaseTable(cells: readonly StreamCell[]): StudyTable[] {
  const pairs = comparedCells(cells.filter(({ rates }) => rates.size > 0)).flatMap((same) => {
    const slowest = same.reduce((a, b) => (b.figures.pointsPerSecond < a.figures.pointsPerSecond ? b : a));
    return same.filter((cell) => cell !== slowest).map((cell) => [slowest, cell] as const);
  });
  const rows = pairs.map(([slowest, cell]) => {
    const ratio = ratioOf(slowest.rates, cell.rates);
    return [...cellTexts(cell, cells), slowest.name, formatRatio(ratio.estimate), intervalText(ratio, formatRatio)];
  });
  if (rows.length === 0) return [];
  return [
    {
      id: 'databases',
      title: 'Databases compared',
      note: 'Throughput at full speed against the slowest database of the same settings: Hodges–Lehmann, with exact 95% rank intervals over repetitions.',
      columns: [...cellColumns(cells), textColumn('against'), numberColumn('throughput'), textColumn('95% interval')],
      rows,
      cells: pairRows(pairs),
    },
  ];
}

function windowTable(cells: readonly StreamCell[]): StudyTable[] {
  const pairs = windowPairs(cells);
  const rows = pairs.map(({ without, with: own }) => {
    const ratio = ratioOf(without.rates, own.rates);
    return [...cellTexts(own, cells), percentText(ratio.estimate), intervalText(ratio, percentText)];
  });
  if (rows.length === 0) return [];
  return [
    {
      id: 'windows',
      title: 'What windows change',
      note: 'Throughput at full speed with windows against that without them, on the same database.',
      columns: [...cellColumns(cells), numberColumn('throughput'), textColumn('95% interval')],
      rows,
      cells: pairRows(pairs.map(({ without, with: own }) => [without, own])),
    },
  ];
}

function latencyTable(cells: readonly StreamCell[]): StudyTable {
  const times = ['endToEndP50Ms', 'endToEndP95Ms', 'endToEndP99Ms', 'endToEndP999Ms'] as const;
  const store = ['storeAccessP50Ms', 'storeAccessP95Ms'] as const;
  return {
    id: 'latency',
    title: 'Latency at the same rate',
    note: 'Medians over repetitions, in ms, of a job whose points arrive at a fixed rate. End-to-end: from the intended creation of the first point in a row to the acknowledgement of the row, with the wait for its window. Store: each write. Queue: by how much the source falls behind in each second, or how long the database still takes rows after the end, as a share of the job, whichever is larger; above 5% the rate is too high for the cell, and its latencies depend on the length of the job.',
    columns: [
      ...cellColumns(cells),
      numberColumn(rateHeading(cells)),
      ...['p50', 'p95', 'p99', 'p99.9'].map((name) => numberColumn(`end-to-end ${name}`)),
      ...['p50', 'p95'].map((name) => numberColumn(`store ${name}`)),
      numberColumn('queue'),
    ],
    rows: cells.map((cell) => {
      const jobs = cell.group.valid.flatMap(({ stream }: StreamEntry) => stream?.paced ?? []);
      const growth = jobs.map(queueOf).sort((a, b) => a - b);
      const middle = growth[Math.floor((growth.length - 1) / 2)];
      return [
        ...cellTexts(cell, cells),
        formatCount(jobs[0]?.ratePerSecond ?? Number.NaN),
        ...[...times, ...store].map((key) => formatFigure(cell.figures[key])),
        middle === undefined ? missing : `${(Math.max(0, middle) * 100).toFixed(1)}%`,
      ];
    }),
    cells: cellRows(cells),
  };
}

function resourceTable(cells: readonly StreamCell[]): StudyTable {
  return {
    id: 'resources',
    title: 'What it took',
    note: 'Medians over repetitions. CPU time over the job at full speed. Memory: peak of the stream processor with all points in it, and of the database server after the job. Storage: the heat map with its indexes, as the server reports it; on MongoDB servers documents without compression, on Cassandra, Ignite and HBase the sum of the values without indexes. Written: what the processes of the server wrote to files over that job.',
    columns: [
      ...cellColumns(cells),
      numberColumn('processor CPU ms'),
      numberColumn('database CPU ms'),
      numberColumn('processor MB'),
      numberColumn('database MB'),
      numberColumn('storage MB'),
      numberColumn('written MB'),
    ],
    rows: cells.map((cell) => [
      ...cellTexts(cell, cells),
      ...(['engineCpuMs', 'storeCpuMs', 'enginePeakMb', 'storeMb', 'storageMb', 'writtenMb'] as const).map((key) =>
        formatFigure(cell.figures[key]),
      ),
    ]),
    cells: cellRows(cells),
  };
}

function checkTable(cells: readonly StreamCell[]): StudyTable {
  return {
    id: 'checks',
    title: 'Heat maps and answers against the oracle',
    note: 'The final heat maps of all jobs, also of invalid repetitions, cell by cell, and each answer to a query; cells of answers are their rows. The oracle computes them from the input alone. Late points are behind their window and in no row; their number must be that of the oracle too.',
    columns: [
      ...cellColumns(cells),
      ...['heat maps', 'answers', 'cells', 'wrong', 'lost', 'duplicated', 'late'].map(numberColumn),
    ],
    rows: cells.map((cell) => {
      const checks = [...cell.group.valid, ...cell.group.invalid].flatMap(
        ({ stream }: StreamEntry) => stream?.checked ?? [],
      );
      const keys = ['heatMaps', 'answers', 'cells', 'wrong', 'lost', 'duplicated', 'late'] as const;
      const sums = keys.map((key) => formatCount(checks.reduce((sum, check) => sum + (check[key] ?? 0), 0)));
      return [...cellTexts(cell, cells), ...sums];
    }),
    cells: cellRows(cells),
  };
}
