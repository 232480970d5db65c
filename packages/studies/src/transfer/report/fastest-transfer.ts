/**
 * The first sentence on bulk transfers: the cell with the highest median throughput, with the range of its repetitions.
 * The sentence calls it the fastest only if its repetitions distinguish it from every other cell.
 */
import { formatCount } from '@topo-bench/report';
import { isTold, ratioOf } from './pairs.ts';
import type { TransferCell } from './transfer-cells.ts';

/** @param name of a cell in words */
export function fastestSentence(cells: readonly TransferCell[], name: (cell: TransferCell) => string): string {
  const measured = cells.filter(({ speeds }) => speeds.size > 0);
  const [best, ...others] = measured.sort((a, b) => b.figures.megabytesPerSecond - a.figures.megabytesPerSecond);
  if (!best) return 'No repetition is valid.';
  if (others.length === 0) return `${name(best)} moved ${speedText(best)}.`;
  const alike = others.filter((other) => !isTold(ratioOf(other.speeds, best.speeds)));
  if (alike.length === 0) return `The fastest transfer, ${name(best)}, moved ${speedText(best)}.`;
  const rest = alike.length === others.length ? 'any other transfer' : transfersText(alike.length);
  return `${name(best)} had the highest median, ${speedText(best)}; the repetitions do not tell it from ${rest}.`;
}

function transfersText(count: number): string {
  return count === 1 ? 'one other transfer' : `${count} other transfers`;
}

/** `1,846 MB/s (median of 5 repetitions, 552 to 2,681; 5 flagged host-saturated)` */
function speedText({ figures: { megabytesPerSecond }, speeds, group }: TransferCell): string {
  const all = [...speeds.values()];
  const range = `${formatCount(Math.min(...all))} to ${formatCount(Math.max(...all))}`;
  const spread = all.length === 1 ? 'one repetition' : `median of ${all.length} repetitions, ${range}`;
  const flags = Object.entries(group.figures?.flags ?? {}).map(([flag, count]) => `; ${count} flagged ${flag}`);
  return `${formatCount(megabytesPerSecond)} MB/s (${spread}${flags.join('')})`;
}
