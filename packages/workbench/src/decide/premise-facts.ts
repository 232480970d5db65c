/** The facts of a system that premises are about: of the cells of a run, or of a topology as its files are now. */
import { type Premise, type PremiseName, premiseNames } from '@topo-bench/core/schema/confirmation';
import { rulesOfPoint } from '@topo-bench/deployment';
import { flowServices, type Graph } from '@topo-bench/topology';

export type PremiseFacts = Partial<Record<PremiseName, number>>;

/** All but the rate, which no topology states. */
export function factsOf(graph: Graph): PremiseFacts {
  const perService = graph.services.map(({ index }) => rulesOfPoint([index], graph).rules.length);
  const delays = graph.links.flatMap((row) => row.map((link) => link?.delayUs ?? 0));
  return {
    services: flowServices(graph.flow).length,
    rules: graph.rules.rules.length,
    rulesPerService: Math.max(0, ...perService),
    linkDelayMs: Math.max(0, ...delays) / 1e3,
  };
}

/** Smallest and largest value of each fact. */
export type FactRanges = Partial<Record<PremiseName, readonly [low: number, high: number]>>;

export function rangesOf(all: readonly PremiseFacts[]): FactRanges {
  return Object.fromEntries(
    premiseNames.flatMap((name) => {
      const values = all.flatMap((facts) => facts[name] ?? []);
      return values.length === 0 ? [] : [[name, [Math.min(...values), Math.max(...values)]]];
    }),
  );
}

/** `services 3 to 9`, `rate at most 140 req/s`. */
export function premiseText(name: PremiseName, { min, max }: Pick<Premise, 'min' | 'max'>): string {
  const { words, unit } = shown[name];
  const value = (number: number): string => `${Number(number.toPrecision(6))}${unit}`;
  if (min === undefined) return `${words} at most ${value(max as number)}`;
  if (max === undefined) return `${words} at least ${value(min)}`;
  return min === max ? `${words} ${value(min)}` : `${words} from ${value(min)} to ${value(max)}`;
}

/** `traffic is now 180 req/s`. */
export function observedText(name: PremiseName, value: number): string {
  const { now, unit } = shown[name];
  return `${now} now ${Number(value.toPrecision(6))}${unit}`;
}

const shown: Record<PremiseName, { words: string; now: string; unit: string }> = {
  rate: { words: 'rate', now: 'traffic is', unit: ' req/s' },
  services: { words: 'services', now: 'services are', unit: '' },
  rules: { words: 'rules', now: 'rules are', unit: '' },
  rulesPerService: { words: 'rules per service', now: 'rules per service are', unit: '' },
  linkDelayMs: { words: 'link delay', now: 'the longest link delay is', unit: ' ms' },
};
