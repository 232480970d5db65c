/** Published throughputs of the Flight study next to measured ones of the same operation and number of streams. */
import { formatFigure, numberColumn, type StudyTable, textColumn } from '@topo-bench/report';
import type { PublishedThroughput } from './published-throughputs.ts';
import type { TransferCell } from './transfer-cells.ts';

/** Empty without published throughputs. */
export function publishedTable(
  published: readonly PublishedThroughput[] | undefined,
  cells: readonly TransferCell[],
): StudyTable[] {
  if (!published) return [];
  return [
    {
      id: 'published',
      title: 'Next to published figures',
      note: 'MB/s. Measured: from the slowest to the fastest of the cells over Flight with that operation and number of streams, whatever their rows. The machines differ; what carries over is how throughput grows with streams.',
      columns: [
        textColumn('operation'),
        textColumn('streams'),
        textColumn('where'),
        numberColumn('published'),
        textColumn('measured here'),
      ],
      rows: published.map((row) => [
        row.operation ?? 'either',
        row.streams === undefined ? 'any' : String(row.streams),
        row.setting,
        formatFigure(row.megabytesPerSecond),
        measured(row, cells),
      ]),
    },
  ];
}

function measured({ operation, streams }: PublishedThroughput, cells: readonly TransferCell[]): string {
  const speeds = cells
    .filter((cell) => cell.protocol === 'flight')
    .filter(
      (cell) =>
        (operation === undefined || cell.operation === operation) &&
        (streams === undefined || cell.streams === streams),
    )
    .map(({ figures }) => figures.megabytesPerSecond)
    .filter((speed) => !Number.isNaN(speed));
  if (speeds.length === 0) return '–';
  const [low, high] = [Math.min(...speeds), Math.max(...speeds)].map(formatFigure) as [string, string];
  return low === high ? low : `${low} to ${high}`;
}
