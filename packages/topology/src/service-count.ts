/** The factor `services`: changes the number of generated services until the flow has N services. */
import { TopoBenchError } from '@topo-bench/core';

interface Entry {
  generate?: unknown;
  role?: unknown;
}

/**
 * Returns entries of `services` for a flow with `count` services. Explicit services stay. The remainder is split among
 * the `generate` entries in proportion to their counts. On a tie, earlier entries come first. Entries with no service
 * left are removed.
 * @throws TopoBenchError `TB_OVERRIDE_INVALID` when the topology cannot have that number of services
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

/** Splits `total` into whole shares in proportion to the weights, by the largest-remainder method. */
function inProportion(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  const exact = weights.map((weight) => (total * weight) / sum);
  const shares = exact.map(Math.floor);
  const left = total - shares.reduce((a, b) => a + b, 0);
  const byRemainder = exact.map((_, i) => i).sort((a, b) => exact[b]! - shares[b]! - (exact[a]! - shares[a]!) || a - b);
  for (const i of byRemainder.slice(0, left)) shares[i]!++;
  return shares;
}
