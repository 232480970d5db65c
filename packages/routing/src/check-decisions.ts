/**
 * Compares the recorded decisions of a repetition, and the data that services received, with the oracle. Runs after the
 * drain, when it cannot disturb a measurement.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeliveryKeys, GatewayRequest, Sample } from '@topo-bench/core';
import { createOracle } from '@topo-bench/oracle';
import type { Graph } from '@topo-bench/topology';

export interface DecisionCheck {
  wrong: number;
  /** The first wrong decisions, in words. */
  examples: string[];
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
  const check: DecisionCheck = { wrong: 0, examples: [] };
  for (const [row, sample] of samples.entries()) {
    const verdict = oracle.checkRequest(requestOf(row), sample);
    check.wrong += verdict.wrong;
    if (verdict.wrong > 0 && check.examples.length < examplesKept)
      check.examples.push(`${sample.id}: ${verdict.reasons[0]}`);
    if (row % batch === batch - 1) await nextTurn();
  }
  return check;
}
