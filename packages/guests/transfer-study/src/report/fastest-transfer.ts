/**
 * The first sentences on bulk transfers: the cell with the highest median throughput, by how much it leads, and what
 * limited it. The sentence calls it the fastest only if its repetitions distinguish it from every other cell.
 */
import { type CostOfRounds, furtherText } from '@topo-bench/comparison';
import { formatCount, formatRatio, formatRatioInterval } from '@topo-bench/report';
import { isBounded, isTold, ratioOf, repetitionsNeeded } from './pairs.ts';
import type { TransferCell } from './transfer-cells.ts';

/** @param name of a cell in words; @returns the headline first */
export function fastestSentences(
  cells: readonly TransferCell[],
  name: (cell: TransferCell) => string,
  cost: CostOfRounds,
): string[] {
  const measured = cells.filter(({ speeds }) => speeds.size > 0);
  const [best, ...others] = measured.sort((a, b) => b.figures.megabytesPerSecond - a.figures.megabytesPerSecond);
  if (!best) return ['No repetition is valid.'];
  return [...headline(best, others, name), ...limits(best), ...missing(best, others, cost)];
}

function headline(best: TransferCell, others: readonly TransferCell[], name: (cell: TransferCell) => string): string[] {
  const isAlike = (other: TransferCell): boolean => !isTold(ratioOf(other.speeds, best.speeds));
  const [next, alike] = [others.find((other) => !isAlike(other)), others.filter(isAlike)];
  if (others.length === 0) return [`${name(best)} moved ${speedText(best)}.`];
  if (next && alike.length === 0) {
    return [`The fastest transfer, ${name(best)}, moved ${speedText(best)}: ${leadText(best, next)} ${name(next)}.`];
  }
  const rest = next ? transfersText(alike.length) : 'any other transfer';
  return [
    `${name(best)} had the highest median, ${speedText(best)}; the repetitions do not tell it from ${rest}.`,
    ...(next ? [`Shown to be slower: it has ${leadText(best, next)} ${name(next)}.`] : []),
  ];
}

/** `1.80× [1.52, 2.10] the throughput of` */
function leadText(best: TransferCell, other: TransferCell): string {
  const { estimate, interval } = ratioOf(other.speeds, best.speeds);
  return `${formatRatio(estimate)} ${formatRatioInterval(interval)} the throughput of`;
}

function transfersText(count: number): string {
  return count === 1 ? 'one other transfer' : `${count} other transfers`;
}

/** What the fastest cell used, and the limit that its flags name. */
function limits({ figures, group }: TransferCell): string[] {
  const { serviceCpuPercent, generatorCpuPercent, hostIdlePercent } = figures;
  const parts: [name: string, value: number][] = [
    ['the service used', serviceCpuPercent],
    ['the generator', generatorCpuPercent],
    ['the host was idle for', hostIdlePercent],
  ];
  const used = parts.flatMap(([what, value]) => (Number.isNaN(value) ? [] : [`${what} ${Math.round(value)}%`]));
  if (used.length === 0) return [];
  return [`${limitText(Object.keys(group.figures?.flags ?? {}))} (${used.join(', ')}; 100% is one core).`];
}

function limitText(flags: readonly string[]): string {
  const limit = [
    ...(flags.includes('host-saturated') ? ['the host, which had no idle processor left'] : []),
    ...(flags.includes('generator-limited') ? ['the generator, which was busy all the time'] : []),
    ...(flags.includes('foreign-load') ? ['other programs, which had processors of the host'] : []),
  ];
  return limit.length === 0 ? 'No limit was seen' : `Its limit: ${limit.join('; ')}`;
}

/** What a decision about the fastest transfer needs, if there are too few repetitions for any. */
function missing(best: TransferCell, others: readonly TransferCell[], cost: CostOfRounds): string[] {
  const few = others.filter((other) => !isBounded(ratioOf(other.speeds, best.speeds)));
  if (few.length === 0) return [];
  const most = Math.min(best.speeds.size, ...few.map(({ speeds }) => speeds.size));
  const decides = most === 1 ? 'One repetition decides' : `${most} repetitions decide`;
  return [
    `${decides} nothing: ${repetitionsNeeded} valid ones of both cells could${furtherText(repetitionsNeeded, most, cost)}.`,
  ];
}

/** `1,846 MB/s (median of 5 repetitions, 552 to 2,681; 5 flagged host-saturated)` */
function speedText({ figures: { megabytesPerSecond }, speeds, group }: TransferCell): string {
  const all = [...speeds.values()];
  const range = `${formatCount(Math.min(...all))} to ${formatCount(Math.max(...all))}`;
  const spread = all.length === 1 ? 'one repetition' : `median of ${all.length} repetitions, ${range}`;
  const flags = Object.entries(group.figures?.flags ?? {}).map(([flag, count]) => `; ${count} flagged ${flag}`);
  return `${formatCount(megabytesPerSecond)} MB/s (${spread}${flags.join('')})`;
}
