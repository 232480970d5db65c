/**
 * Compares the recorded decisions of a repetition, and the data that services received, with the oracle. Runs after the
 * drain, when it cannot disturb a measurement.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeliveryKeys, GatewayRequest, Sample } from '@topo-bench/core';
import type { UndecidedFigures } from '@topo-bench/core/schema/result';
import { createOracle } from '@topo-bench/oracle';
import type { Graph } from '@topo-bench/topology';

export interface DecisionCheck {
  wrong: number;
  /** The first wrong decisions, in words. */
  examples: string[];
  undecided: UndecidedFigures;
}

/** No prototype: categories may have any name. */
export function noUndecided(): UndecidedFigures {
  return { requests: 0, steps: 0, exposedBytes: Object.create(null) };
}

export function addUndecided(
  to: UndecidedFigures,
  of: { steps: number; exposedBytes: Record<string, number> } | undefined,
): void {
  if (!of) return;
  to.requests++;
  to.steps += of.steps;
  for (const [category, bytes] of Object.entries(of.exposedBytes))
    to.exposedBytes[category] = (to.exposedBytes[category] ?? 0) + bytes;
}

const examplesKept = 3;
/** Requests checked before yielding to other work, e.g. a Ctrl-C or the death of a role. */
const batch = 500;

/**
 * @param requestOf the request of a row, as the generator drew it
 * @param keys of redacted payloads and of digests
 */
export async function checkDecisions(
  graph: Graph,
  samples: readonly Sample[],
  requestOf: (row: number) => GatewayRequest,
  keys: DeliveryKeys,
): Promise<DecisionCheck> {
  const oracle = createOracle(graph, keys);
  const check: DecisionCheck = { wrong: 0, examples: [], undecided: noUndecided() };
  for (const [row, sample] of samples.entries()) {
    const verdict = oracle.checkRequest(requestOf(row), sample);
    check.wrong += verdict.wrong;
    addUndecided(check.undecided, verdict.undecided);
    if (verdict.wrong > 0 && check.examples.length < examplesKept)
      check.examples.push(`${sample.id}: ${verdict.reasons[0]}`);
    if (row % batch === batch - 1) await nextTurn();
  }
  return check;
}
