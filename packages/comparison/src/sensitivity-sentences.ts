/**
 * The sensitivity of a comparison in sentences: what it could not have seen, and how many repetitions would be enough.
 */
import { counted } from '@topo-bench/core';
import { smallestRejectingN } from '@topo-bench/stats';
import type { CellComparison } from './compare-cells.ts';
import type { CostOfRounds } from './cost-of-rounds.ts';
import { furtherText, impractical, manyText } from './further-repetitions.ts';

/** Error rate of a comparison, over all its cells. */
const alpha = 0.05;

/** Sentences on all compared cells, one for each kind of limitation. */
export function sensitivitySentences(cells: readonly CellComparison[], effect: number, cost?: CostOfRounds): string[] {
  const compared = cells.filter(({ pairing, blocked }) => pairing !== 'none' && blocked === undefined);
  const able = compared.filter(({ minimumDetectablePercent }) => Number.isFinite(minimumDetectablePercent));
  const unable = compared.filter((cell) => !able.includes(cell));
  const sentences: string[] = [];
  if (able.length > 0) {
    const percents = able.map(({ minimumDetectablePercent }) => minimumDetectablePercent);
    sentences.push(
      `With ${repetitionsText(able)} this comparison could not have seen less than ${rangeText(percents)}${compared.length > 1 ? ` in a cell that alone of ${compared.length} cells changed` : ''}.`,
    );
    const needed = Math.max(...able.map(({ neededRepetitions }) => neededRepetitions));
    if (Math.max(...percents) > 100 * effect) {
      sentences.push(...whatWouldBeNeeded(able, { effect, needed }, cost));
    }
  }
  const zeros = unable.filter(({ minimumDetectablePercent }) => Number.isNaN(minimumDetectablePercent));
  const blind = unable.filter((cell) => !zeros.includes(cell));
  if (blind.length > 0) {
    const smallest = Math.max(...blind.map(({ smallestRepetitions }) => smallestRepetitions));
    sentences.push(
      Math.min(...blind.map(used)) < smallest
        ? neededToShowAny(blind, smallest, { compared: compared.length, cost })
        : `With ${repetitionsText(blind)} this comparison could not have seen any difference: too many requests never finished.`,
    );
  }
  return [...sentences, ...adviceOnBlocked(cells, cost)];
}

/** What would help where the use of the processors, and not the number of repetitions, prevents a verdict. */
function adviceOnBlocked(cells: readonly CellComparison[], cost: CostOfRounds | undefined): string[] {
  const count = (cause: CellComparison['blocked']): number => cells.filter(({ blocked }) => blocked === cause).length;
  const where = (number: number): string => (number === cells.length ? '' : ` in ${counted(number, 'cell')}`);
  const [foreign, own] = [count('foreign'), count('saturated')];
  const turns = cost?.couldTakeTurns
    ? ', or compare levels that take turns under load (deploy: interleaved), which meet them alike'
    : '';
  return [
    ...(foreign > 0
      ? [`More repetitions do not help${where(foreign)} while the same programs run: end them${turns}.`]
      : []),
    ...(own > 0
      ? [`More repetitions do not help${where(own)} at this load: lower the rate, so that the host has time left.`]
      : []),
  ];
}

/** How many repetitions, how long they take, and what would need fewer. */
function whatWouldBeNeeded(
  cells: readonly CellComparison[],
  { effect, needed }: { effect: number; needed: number },
  cost: CostOfRounds = { couldTakeTurns: false },
): string[] {
  const have = Math.min(...cells.map(used));
  // The number falls with the square of the logarithm of the change, to the fewest that can show anything.
  const min = Math.max(...cells.map(({ smallestRepetitions }) => smallestRepetitions));
  const double = Math.max(min, Math.ceil(needed * (Math.log1p(effect) / Math.log1p(2 * effect)) ** 2));
  const { folders: _folders, ...timeOnly } = cost;
  const twice =
    double < needed && double > have && double <= impractical
      ? [`${manyText(double)}${furtherText(double, have, timeOnly)}, for ${percentText(200 * effect)}`]
      : [];
  const turns = cost.couldTakeTurns ? ['levels that take turns under load (deploy: interleaved)'] : [];
  const fewer = [...twice, ...turns];
  const isDisturbed = cells.some(({ foreign }) => (foreign?.with?.rounds ?? 0) > (foreign?.without?.rounds ?? 0));
  if (isDisturbed) {
    const more = `it would need ${manyText(needed)}${furtherText(needed, have, timeOnly)} while the same programs run`;
    return [
      `To see ${percentText(100 * effect)} in every cell ${more}: end them first, since more repetitions hardly help.`,
    ];
  }
  return [
    `To see ${percentText(100 * effect)} in every cell it would need ${manyText(needed)}${furtherText(needed, have, cost)}.`,
    ...(fewer.length > 0 ? [`Fewer would do: ${fewer.join('; or with ')}.`] : []),
  ];
}

/** What cells need that could not have shown any difference. Cells compared at once need more than one alone. */
function neededToShowAny(
  blind: readonly CellComparison[],
  smallest: number,
  { compared, cost }: { compared: number; cost: CostOfRounds | undefined },
): string {
  const among = compared > 1 ? `, among ${compared} cells compared at once,` : '';
  const paired = blind.every(({ pairing }) => pairing === 'by round');
  const alone = smallestRejectingN(alpha, { paired });
  const fewer = compared > 1 && alone < smallest ? ` A cell compared alone needs ${alone}.` : '';
  const further = furtherText(smallest, Math.min(...blind.map(used)), cost);
  return `With ${repetitionsText(blind)}${among} this comparison could not have shown any difference; ${smallest} could${further}.${fewer}`;
}

/** `7%`, `0.4%`, `120%`: two significant digits, whole numbers from 10 on. */
export function percentText(percent: number): string {
  const magnitude = Math.abs(percent);
  return `${magnitude >= 10 ? Math.round(percent) : Number(percent.toPrecision(2))}%`;
}

function repetitionsText(cells: readonly CellComparison[]): string {
  const all = cells.map(used);
  const [min, max] = [Math.min(...all), Math.max(...all)];
  return min === max ? counted(min, 'repetition') : `${min} to ${max} repetitions`;
}

function used({ repetitions }: CellComparison): number {
  return Math.min(repetitions.baseline.used, repetitions.candidate.used);
}

function rangeText(percents: readonly number[]): string {
  const [min, max] = [percentText(Math.min(...percents)), percentText(Math.max(...percents))];
  return min === max ? min : `${min} to ${max}`;
}
