/**
 * Compares everything that a repetition recorded of its decisions, and of what services received, with the oracle. Runs
 * after the drain, so that it disturbs no measurement.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeliveryKeys, GatewayRequest, Sample } from '@topo-bench/core';
import { createOracle } from '@topo-bench/oracle';
import type { Graph } from '@topo-bench/topology';

export interface DecisionCheck {
  wrong: number;
  /** The first of them, in words. */
  examples: string[];
}

const examplesKept = 3;
/** Requests checked before other work (a Ctrl-C, a death of a role) gets its turn. */
const batch = 500;

/**
 * @param requestOf the request of a row, as the generator drew it
 * @param keys with which the roles redacted payloads and returned digests
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
