/**
 * The sensitivity of a comparison in sentences: what it could not have seen, and how many repetitions would be enough.
 */
import type { CellComparison } from './compare-cells.ts';
import type { CostOfRounds } from './cost-of-rounds.ts';

/** Sentences on all compared cells, one for each kind of limitation. */
export function whatCouldBeSeen(cells: readonly CellComparison[], effect: number, cost?: CostOfRounds): string[] {
  const compared = cells.filter(({ pairing }) => pairing !== 'none');
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
    const among = compared.length > 1 ? `, among ${compared.length} cells compared at once,` : '';
    sentences.push(
      Math.min(...blind.map(used)) < smallest
        ? `With ${repetitionsText(blind)}${among} this comparison could not have shown any difference; ${smallest} could.`
        : `With ${repetitionsText(blind)} this comparison could not have seen any difference: too many requests never finished.`,
    );
  }
  return sentences;
}

/** How many repetitions, how long they take, and what would need fewer. */
function whatWouldBeNeeded(
  cells: readonly CellComparison[],
  { effect, needed }: { effect: number; needed: number },
  cost: CostOfRounds = { couldTakeTurns: false },
): string[] {
  const timed = (repetitions: number): string => {
    const time = cost.roundSeconds === undefined ? '' : `, about ${timeText(repetitions * cost.roundSeconds)}`;
    return `${manyText(repetitions)}${repetitions > 1000 ? '' : time}`;
  };
  // The number falls with the square of the logarithm of the change, to the fewest that can show anything.
  const min = Math.max(...cells.map(({ smallestRepetitions }) => smallestRepetitions));
  const double = Math.max(min, Math.ceil(needed * (Math.log1p(effect) / Math.log1p(2 * effect)) ** 2));
  const twice = double < needed ? [`${timed(double)}, for ${percentText(200 * effect)}`] : [];
  const turns = cost.couldTakeTurns ? ['levels that take turns under load (deploy: interleaved)'] : [];
  const fewer = [...twice, ...turns];
  return [
    `To see ${percentText(100 * effect)} in every cell it would need ${timed(needed)}.`,
    ...(fewer.length > 0 ? [`Fewer would do: ${fewer.join('; or with ')}.`] : []),
  ];
}

/** `45 s`, `12 min`, `3.5 h`. */
function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.ceil(minutes)} min` : `${Number((minutes / 60).toPrecision(2))} h`;
}

/** `7%`, `0.4%`, `120%`: two significant digits, whole numbers from 10 on. */
export function percentText(percent: number): string {
  const magnitude = Math.abs(percent);
  return `${magnitude >= 10 ? Math.round(percent) : Number(percent.toPrecision(2))}%`;
}

/** A number of repetitions; impractical numbers are cut at 1000. */
export function manyText(repetitions: number): string {
  return repetitions > 1000 ? 'more than 1000 repetitions' : `${repetitions} repetitions`;
}

function repetitionsText(cells: readonly CellComparison[]): string {
  const all = cells.map(used);
  const [min, max] = [Math.min(...all), Math.max(...all)];
  return min === max ? `${min} ${min === 1 ? 'repetition' : 'repetitions'}` : `${min} to ${max} repetitions`;
}

function used({ repetitions }: CellComparison): number {
  return Math.min(repetitions.baseline.used, repetitions.candidate.used);
}

function rangeText(percents: readonly number[]): string {
  const [min, max] = [percentText(Math.min(...percents)), percentText(Math.max(...percents))];
  return min === max ? min : `${min} to ${max}`;
}
