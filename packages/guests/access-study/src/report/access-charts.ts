/** Throughput of whole reads against the rows of the table: a panel per source, a line per variant with its options. */
import { formatCount } from '@topo-bench/report';
import { type LinePanel, lineColour, linePoint } from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import { variantName } from '../variants.ts';
import { type AccessCell, accessCells, levelsOf, sourceName, wholeReads } from './access-cells.ts';

export function volumePanels(report: ReportModel): LinePanel[] {
  const whole = wholeReads(accessCells(report));
  const names = [...new Set(whole.map(lineName))];
  return levelsOf(whole, 'source').map((source) => {
    const own = whole.filter((cell) => cell.source === source);
    const volumes = levelsOf(own, 'volume').sort((a, b) => a - b);
    return {
      title: sourceName(source),
      heading: '1,000 rows/s',
      axis: 'rows',
      levels: volumes.map(formatCount),
      lines: names.map((name, at) => ({
        name,
        colour: lineColour(at),
        points: volumes.flatMap((volume, level) => {
          const cell = own.find((one) => lineName(one) === name && one.volume === volume);
          if (!cell) return [];
          const rates = [...cell.rates.values()].map((rate) => rate / 1e3);
          return [linePoint(cell.index, level, rates)];
        }),
      })),
    };
  });
}

/** `flight-process (D), compression zstd` */
function lineName({ variant, others }: AccessCell): string {
  return [variantName(variant), ...(others === '' ? [] : [others])].join(', ');
}
