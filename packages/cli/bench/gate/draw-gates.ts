/**
 * Gates drawn from measured rounds: each takes rounds in its order until it has as many as the gate asks for, and is
 * judged as a gate is.
 */
import { type GateVerdict, gate, pairsNeeded, parseThreshold } from '@topo-bench/comparison';
import { type RunFolder, randomStream } from '@topo-bench/core';
import type { StoredPair } from './stored-pairs.ts';

/** The pairs of all cells that were measured in one round. */
export type Round = readonly Pick<StoredPair, 'cell' | 'baselineUs' | 'candidateUs' | 'usable' | 'session'>[];

export interface DrawnGate {
  verdict: GateVerdict;
  /** Rounds that it chose, at most `maxPairs`. */
  pairs: number;
  /** Cells that it found beyond the limit. */
  failedCells: string[];
}

const maxPairs = 20;
const thresholds = [parseThreshold('rtt.median < +5%')];

/** In the order measured; rounds without a single usable pair are left out. */
export function roundsOf(pairs: readonly StoredPair[]): Round[] {
  const rounds = new Map<string, StoredPair[]>();
  for (const pair of pairs) {
    const key = `${pair.session}/${pair.repetition}`;
    rounds.set(key, [...(rounds.get(key) ?? []), pair]);
  }
  return [...rounds.values()].filter((round) => round.some(({ usable }) => usable));
}

/**
 * Rounds in random order, without repetition inside a gate. Gates share rounds, so their verdicts are not independent
 * of each other.
 */
export function resampledGates(rounds: readonly Round[], count: number): DrawnGate[] {
  return Array.from({ length: count }, (_, gate) => {
    const random = randomStream(gate, 'bench:gate');
    const order = [...rounds];
    for (let last = order.length - 1; last > 0; last--) {
      const other = random.integer(last + 1);
      [order[last], order[other]] = [order[other] as Round, order[last] as Round];
    }
    return drawGate(order) ?? { verdict: 'cannot tell', pairs: order.length, failedCells: [] };
  });
}

/**
 * Gates that share no round, in the order measured and with whatever drift the machine had: independent of each other.
 * A gate begins where the one before ended. The rest of a session, in which a gate would have asked for more, is no
 * gate.
 */
export function independentGates(rounds: readonly Round[]): DrawnGate[] {
  const gates: DrawnGate[] = [];
  for (let at = 0; at < rounds.length; ) {
    const session = rounds[at]?.[0]?.session;
    const following = rounds.slice(at, at + maxPairs).filter((round) => round[0]?.session === session);
    const drawn = drawGate(following);
    if (drawn) gates.push(drawn);
    at += drawn?.pairs ?? following.length;
  }
  return gates;
}

/** Undefined when the rounds end before it has enough. */
function drawGate(order: readonly Round[]): DrawnGate | undefined {
  for (let pairs = 1; pairs <= order.length; pairs++) {
    const drawn = order.slice(0, pairs);
    const [baseline, candidate] = [run('baseline', drawn), run('candidate', drawn)];
    const { pairs: wanted, have } = pairsNeeded(baseline, candidate, thresholds);
    if (have < wanted && pairs < maxPairs) continue;
    const { verdict, thresholds: results } = gate(candidate, baseline, thresholds);
    const failed = results.flatMap(({ cells }) => cells.filter(({ passed }) => passed === false));
    return { verdict, pairs, failedCells: failed.map(({ factors }) => String(factors.cell)) };
  }
  return undefined;
}

/** With the fields that a gate on medians reads. */
function run(side: 'baseline' | 'candidate', rounds: readonly Round[]): RunFolder {
  const names = [...new Set(rounds.flatMap((round) => round.map(({ cell }) => cell)))];
  const cells = names.flatMap((cell) =>
    rounds.map((round, at) => {
      const pair = round.find((one) => one.cell === cell);
      return {
        ...{ factors: { cell }, repetition: at + 1, source: 'measured', errors: {}, resources: {} },
        rtt: { count: 1000, medianUs: pair?.[`${side}Us`] ?? Number.NaN },
        validity: { valid: pair?.usable ?? false, reasons: pair?.usable ? [] : ['not usable'], flags: [] },
      };
    }),
  );
  const record = {
    ...{ status: 'finished', environment: {}, plannedCells: names.map((cell) => ({ cell })) },
    sideBySide: { id: 'drawn', side, ref: side },
  };
  return { folder: side, record, cells } as unknown as RunFolder;
}
