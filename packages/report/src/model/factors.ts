/** The factors of a report in reading order, and the subset of them that varies. */
import { architectures, describeLevel, isEnforced, isQuestion, parseArchitectureLevel } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';

export type Level = FactorLevels[string];

export interface Factor {
  name: string;
  /** In reading order. */
  levels: Level[];
}

/** Factors of the study first, then those of the experiment in its order. */
const leading = ['run', 'source', 'architecture', 'rate', 'services'];

/** Factors of a set of cells, each with its levels in reading order. */
export function factorsOf(cells: readonly { factors: FactorLevels }[]): Factor[] {
  const levels = new Map<string, Set<Level>>();
  for (const { factors } of cells) {
    for (const [name, level] of Object.entries(factors))
      levels.set(name, (levels.get(name) ?? new Set<Level>()).add(level));
  }
  return [...levels]
    .map(([name, found]) => ({ name, levels: [...found].sort(compareLevels) }))
    .sort((a, b) => rank(a.name) - rank(b.name));
}

/** Numbers by size, architectures from no enforcement to the most distributed, other text in order of appearance. */
function compareLevels(a: Level, b: Level): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return architectureRank(a) - architectureRank(b) || countOf(a) - countOf(b);
}

/** Position of the architecture in reading order; other text comes last. */
export function architectureRank(level: Level): number {
  const parsed = parseArchitectureLevel(level);
  return parsed ? architectures.indexOf(parsed.architecture) : architectures.length;
}

function countOf(level: Level): number {
  return parseArchitectureLevel(level)?.count ?? 0;
}

function rank(name: string): number {
  const found = leading.indexOf(name);
  return found < 0 ? leading.length : found;
}

/** Compares sets of levels by the first factor, then the second, and so on. */
export function compareByFactors(factors: readonly Factor[]): (a: FactorLevels, b: FactorLevels) => number {
  return (a, b) => {
    for (const { name, levels } of factors) {
      const difference = levels.indexOf(a[name] as Level) - levels.indexOf(b[name] as Level);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

/**
 * The factor whose levels the report compares: the architecture if it varies, else the first varying factor, settings
 * such as the rate last.
 */
export function comparedFactor(factors: readonly Factor[]): Factor | undefined {
  const varying = factors.filter(({ levels }) => levels.length > 1);
  return (
    varying.find(({ name }) => name === 'architecture') ?? varying.find(({ name }) => isQuestion(name)) ?? varying[0]
  );
}

/** False for an architecture without enforcement: it is the baseline of the others. */
export function enforces({ name }: Factor, level: Level): boolean {
  return name !== 'architecture' || isEnforced(level);
}

/** Describes the levels of some factors: `100 req/s, 5 services`. */
export function describeLevels(factors: readonly Factor[], levels: FactorLevels): string {
  return factors
    .filter(({ name }) => levels[name] !== undefined)
    .map(({ name }) => describeLevel(name, levels[name] as Level))
    .join(', ');
}

/** Start of a sentence on cells with these levels: `with 5 services, `. */
export function settingStart(levels: string, isSimulated: boolean): string {
  const words = [...(isSimulated ? ['in a simulation'] : []), ...(levels === '' ? [] : [`with ${levels}`])];
  return words.length === 0 ? '' : `${words.join(' ')}, `;
}

/** Adds the source as a factor. Every cell is marked if the report contains simulated figures. */
export function withSource({ factors, source }: Pick<Cell, 'factors' | 'source'>, marked: boolean): FactorLevels {
  return marked ? { source, ...factors } : factors;
}
