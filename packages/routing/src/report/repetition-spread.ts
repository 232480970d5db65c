/** The spread between repetitions of one cell: a difference no larger than that is no evidence by itself. */
import { cellKey, type RunFolder } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';

const figures: readonly { name: string; of: (cell: Cell) => number | undefined }[] = [
  { name: 'the median', of: ({ rtt }) => rtt.medianUs },
  { name: 'p95', of: ({ rtt }) => rtt.p95Us },
  { name: 'CPU per request', of: ({ cpuUsPerRequest }) => cpuUsPerRequest.total },
];

/** Undefined without two valid measured repetitions of one cell. */
export function spreadSentence(runs: readonly Pick<RunFolder, 'cells'>[]): string | undefined {
  const pairs = runs.flatMap(({ cells }) => pairsOf(cells));
  const texts = figures.flatMap(({ name, of }) => {
    const differences = pairs.map(([one, other]) => differencePercent(of(one), of(other))).filter(Number.isFinite);
    return differences.length === 0 ? [] : [`${Number(median(differences).toPrecision(2))}% in ${name}`];
  });
  if (texts.length === 0) return undefined;
  const [who, least] = pairs.length === 1 ? ['The only pair', ''] : [`Half of the ${pairs.length} pairs`, 'at least '];
  return `${who} of repetitions of the same cell here differed by ${least}${listed(texts)}: a smaller difference between single repetitions is no evidence.`;
}

/** Each two valid measured repetitions of each cell. */
function pairsOf(cells: readonly Cell[]): [Cell, Cell][] {
  const measured = cells.filter(({ source, validity }) => source === 'measured' && validity.valid);
  return measured.flatMap((one, at) =>
    measured
      .slice(at + 1)
      .filter(({ factors }) => cellKey(factors) === cellKey(one.factors))
      .map((other): [Cell, Cell] => [one, other]),
  );
}

/** In % of the smaller one. */
function differencePercent(a = Number.NaN, b = Number.NaN): number {
  return 100 * (Math.max(a, b) / Math.min(a, b) - 1);
}

function listed(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}
