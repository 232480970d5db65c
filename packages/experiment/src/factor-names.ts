/** Factors have a short name and a path: `store` and `services.items.persistence.store`. Either finds the other. */
import { experimentShortNames } from '@topo-bench/topology/apply-overrides';

const byPath = new Map(Object.entries(experimentShortNames).map(([short, path]) => [path, short]));

/** The short name of a factor that has one, else its name as it is. */
export function shortFactorName(name: string): string {
  const path = name.replace(/^topology\./, '');
  if (/^services\W.+\.persistence\.store$/.test(path)) return 'store';
  if (/^services\W.+\.arrow\.flight\.tls\.enabled$/.test(path)) return 'tls';
  return byPath.get(path) ?? name;
}

/** The one of these factors that a name means; undefined when there is none. */
export function factorNamed(name: string, factors: readonly string[]): string | undefined {
  if (factors.includes(name)) return name;
  return factors.find((factor) => shortFactorName(factor) === shortFactorName(name));
}
