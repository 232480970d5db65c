/** End-to-end latency by percentile: a panel for each setting, a line per database. */
import { type LinePanel, lineColour, linePoint } from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import type { StreamEntry } from '../parts.ts';
import { comparedCells, type StreamCell, streamCells, windowsText } from './stream-cells.ts';

const percentiles = [
  ['p50', 'medianUs'],
  ['p95', 'p95Us'],
  ['p99', 'p99Us'],
  ['p99.9', 'p999Us'],
] as const;

export function latencyPanels(report: ReportModel): LinePanel[] {
  const cells = streamCells(report);
  const databases = [...new Set(cells.map(({ name }) => name))];
  return comparedCells(cells).map((same) => {
    const [{ windows, others }] = same as [StreamCell];
    return {
      title: [windowsText(windows), ...(others ? [others] : [])].join(', '),
      heading: 'end-to-end latency (ms)',
      axis: 'percentile',
      levels: percentiles.map(([name]) => name),
      lines: databases.map((name, at) => ({
        name,
        colour: lineColour(at),
        points: same
          .filter((cell) => cell.name === name)
          .flatMap(({ index, group }) =>
            percentiles.map(([, key], level) =>
              linePoint(
                index,
                level,
                group.valid.flatMap(({ stream }: StreamEntry) => (stream ? stream.paced.endToEnd[key] / 1e3 : [])),
              ),
            ),
          ),
      })),
    };
  });
}
