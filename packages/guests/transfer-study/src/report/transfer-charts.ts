/** Throughput against streams: a panel per operation, protocol and other varying factors, a line per number of rows. */
import { formatCount } from '@topo-bench/report';
import { type LinePanel, lineColour, linePoint } from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import { levelsOf, type TransferCell, transferCells } from './transfer-cells.ts';
import { protocolName } from './transfer-sentences.ts';

/** By name of the figure; empty if the number of streams does not vary. */
export function transferCharts(report: ReportModel): Record<string, LinePanel[]> {
  const cells = transferCells(report);
  const [streams, rows] = [levelsOf(cells, 'streams'), levelsOf(cells, 'rows')];
  if (streams.length < 2) return {};
  const titles = [...new Set(cells.map(panelTitle))];
  const panels = titles.map((title) => ({
    title,
    heading: 'MB/s',
    axis: 'streams',
    levels: streams.map(String),
    lines: rows.map((count, at) => ({
      name: `${formatCount(count)} rows`,
      colour: lineColour(at),
      points: cells
        .filter((cell) => panelTitle(cell) === title && cell.rows === count)
        .map(({ index, streams: level, speeds }) => linePoint(index, streams.indexOf(level), [...speeds.values()]))
        .sort((a, b) => a.level - b.level),
    })),
  }));
  return { throughput: panels };
}

export function panelTitle({ protocol, operation, others }: TransferCell): string {
  return [protocolName(protocol), operation, ...(others ? [others] : [])].join(', ');
}
