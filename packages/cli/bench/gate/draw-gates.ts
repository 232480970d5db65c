/** Gates drawn from measured pairs: each takes pairs in its order until it has as many as the gate asks for, and is judged as a gate is. */
import { gate, pairsNeeded, parseThreshold } from '@topo-bench/comparison';
import type { GateVerdict } from '@topo-bench/comparison/gate-result';
import { randomStream } from '@topo-bench/core';
import { type CellFigures, runOf } from '../../../comparison/test/fixtures/run-of.ts';
import type { StoredPair } from './stored-pairs.ts';

export type Medians = Pick<StoredPair, 'baselineUs' | 'candidateUs'>;

export interface DrawnGate {
  verdict: GateVerdict;
  /** As many as the gate chose, at most `mostPairs`. */
  pairs: number;
}

export const mostPairs = 20;
const thresholds = [parseThreshold('rtt.median < +5%')];

/** Pairs in random order, without repetition inside a gate; gates share pairs, so their verdicts are not independent of each other. */
export function resampledGates(pairs: readonly Medians[], count: number): DrawnGate[] {
  return Array.from({ length: count }, (_, gate) => {
    const random = randomStream(gate, 'bench:gate');
    const order = [...pairs];
    for (let last = order.length - 1; last > 0; last--) {
      const other = random.integer(last + 1);
      [order[last], order[other]] = [order[other] as Medians, order[last] as Medians];
    }
    return drawGate(order);
  });
}

/** As measured: from every place where a session is long enough, with whatever drift the machine had. */
export function consecutiveGates(pairs: readonly StoredPair[]): DrawnGate[] {
  return pairs.flatMap((first, at) => {
    const following = pairs.slice(at, at + mostPairs).filter(({ session }) => session === first.session);
    return following.length === mostPairs ? [drawGate(following)] : [];
  });
}

function drawGate(order: readonly Medians[]): DrawnGate {
  for (let pairs = 1; ; pairs++) {
    const drawn = order.slice(0, pairs);
    const baseline = run(
      'baseline',
      drawn.map(({ baselineUs }) => baselineUs),
    );
    const candidate = run(
      'candidate',
      drawn.map(({ candidateUs }) => candidateUs),
    );
    const { pairs: wanted, have } = pairsNeeded(baseline, candidate, thresholds);
    if (have < wanted && pairs < Math.min(mostPairs, order.length)) continue;
    return { verdict: gate(candidate, baseline, thresholds).verdict, pairs };
  }
}

function run(side: 'baseline' | 'candidate', mediansUs: number[]) {
  const cell: CellFigures = { factors: { architecture: 'central-entity' }, mediansUs };
  return runOf([cell], { sideBySide: { id: 'drawn', side, ref: side } });
}
