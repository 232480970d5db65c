/** The threshold and the time that a self-test suggests for gates on this machine. */
import type { SelfTestRow } from '@topo-bench/comparison';

export interface Suggestion {
  threshold: string;
  maxMinutes: number;
}

/** A limit is suggested only if no larger shares of the gates of equal sides cannot tell, and fail. */
const maxUndecided = 0.1;
const maxFalseAlarms = 0.05;

/**
 * The smallest limit of the first metric with which gates nearly always tell and rarely alarm falsely, and the time
 * that they take. None for limits that demand an improvement, such as `< -5%`: equal sides fail them.
 */
export function suggestionFor(rows: readonly SelfTestRow[], roundSeconds: number): Suggestion | undefined {
  const found = rows.find(
    ({ metric, gates, undecided, falseAlarms, detectablePercent }) =>
      metric === rows[0]?.metric &&
      undecided <= maxUndecided * gates &&
      falseAlarms <= maxFalseAlarms * gates &&
      Number.isFinite(detectablePercent),
  );
  return found && { threshold: found.threshold, maxMinutes: Math.ceil(((found.pairs.p90 + 1) * roundSeconds) / 60) };
}
