/** The factor `services`: a topology brought to N services in the flow by generating more or fewer. */
import { TopoBenchError } from '@topo-bench/core';

interface Entry {
  generate?: unknown;
  role?: unknown;
}

/**
 * Entries of `services` such that the flow has `count` services. Explicit services stay; what remains is shared among
 * the `generate` entries in proportion to what they ask for, earlier ones first on a tie. An entry left without any
 * goes.
 * @throws TopoBenchError `TB_OVERRIDE_INVALID` when the topology cannot have that many
 */
export function withServiceCount(input: Readonly<Record<string, unknown>>, count: unknown): unknown[] {
  const refuse = (reason: string, hint?: string): never => {
    throw new TopoBenchError(
      'TB_OVERRIDE_INVALID',
      `services: ${String(count)} ${reason}`,
      hint === undefined ? {} : { hint },
    );
  };
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1)
    return refuse('is not a whole number of at least 1');
  if (count > 1000) return refuse('is more than 1000');
  if (!Array.isArray(input.services)) return refuse('cannot be set: the topology has no list of services');
  if (input.flow !== undefined && input.flow !== 'chain') {
    return refuse('cannot be set: the flow names its services one by one', 'use `flow: chain`');
  }
  const entries = input.services as readonly (Entry | null)[];
  const isGenerated = (entry: Entry | null): entry is Entry & { generate: number } =>
    typeof entry?.generate === 'number';
  const explicit = entries.filter((entry) => !isGenerated(entry) && entry?.role !== 'alternative').length;
  const generated = entries.filter(isGenerated);
  const rest = count - explicit;
  if (rest < 0) return refuse(`is fewer than the ${explicit} that the topology names one by one`);
  if (rest > 0 && generated.length === 0) {
    return refuse(
      `is more than the ${explicit} services of the topology`,
      'add an entry such as `{ generate: 1 }` to its services',
    );
  }
  const shares = inProportion(
    rest,
    generated.map((entry) => entry.generate),
  );
  const shareOf = new Map<Entry, number>(generated.map((entry, i) => [entry, shares[i]!]));
  return entries.flatMap((entry) => {
    if (!isGenerated(entry)) return [entry];
    const generate = shareOf.get(entry)!;
    return generate === 0 ? [] : [{ ...entry, generate }];
  });
}

/** Largest remainder: whole shares of `total` in proportion to the weights. */
function inProportion(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  const exact = weights.map((weight) => (total * weight) / sum);
  const shares = exact.map(Math.floor);
  const left = total - shares.reduce((a, b) => a + b, 0);
  const byRemainder = exact.map((_, i) => i).sort((a, b) => exact[b]! - shares[b]! - (exact[a]! - shares[a]!) || a - b);
  for (const i of byRemainder.slice(0, left)) shares[i]!++;
  return shares;
}
