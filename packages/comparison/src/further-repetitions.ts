/** The price of more repetitions in words: how long they take, and the command that adds them to a run. */
import type { CostOfRounds } from './cost-of-rounds.ts';

/** Beyond this number repetitions are no remedy. */
export const impractical = 1000;
/** A report of more runs has no command for each of them. */
const maxRuns = 3;

/**
 * `about 4 min more: topo-bench run --resume runs/a --repetitions 7`, in brackets and after a space. Unknown parts are
 * absent; the text is empty where neither is known.
 * @param repetitions needed
 * @param have usable repetitions so far; invalid ones count as rounds, but not here
 */
export function furtherText(repetitions: number, have: number, cost: CostOfRounds | undefined): string {
  const more = repetitions - have;
  if (!cost || repetitions > impractical || more <= 0) return '';
  const time = cost.roundSeconds === undefined ? [] : [`about ${timeText(more * cost.roundSeconds)} more`];
  const [first, ...others] = cost.folders && cost.folders.length <= maxRuns ? cost.folders : [];
  const command =
    first === undefined
      ? []
      : [`topo-bench run --resume ${shellWord(first)} --repetitions ${(cost.rounds ?? have) + more}`];
  const parts = [...time, ...command];
  if (parts.length === 0) return '';
  // Other runs may be of other code: a baseline that the present code extends is none.
  const rest =
    others.length === 0
      ? ''
      : `, and the same for ${others.map(shellWord).join(' and ')}, each with the code that it measured`;
  return ` (${parts.join(': ')}${rest})`;
}

/** A number of repetitions; impractical numbers are cut at 1000. */
export function manyText(repetitions: number): string {
  if (repetitions > impractical) return `more than ${impractical} repetitions`;
  return repetitions === 1 ? '1 repetition' : `${repetitions} repetitions`;
}

/** `45 s`, `12 min`, `3.5 h`. */
function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.ceil(minutes)} min` : `${Number((minutes / 60).toPrecision(2))} h`;
}

/** A path as one word of a shell command. */
function shellWord(path: string): string {
  return /^[\w./@%+:=,-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
