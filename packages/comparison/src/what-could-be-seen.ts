/**
 * The sensitivity of a comparison in sentences: what it could not have seen, and how many repetitions would be enough.
 */
import type { CellComparison } from './compare-cells.ts';

/** Sentences on all compared cells, one for each kind of limitation. */
export function whatCouldBeSeen(cells: readonly CellComparison[], effect: number): string[] {
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
      sentences.push(`To see ${percentText(100 * effect)} in every cell it would need ${manyText(needed)}.`);
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
