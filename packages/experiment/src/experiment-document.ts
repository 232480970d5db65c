/** The experiment file as plain data, before validation. Choices and levels of factors are inserted here. */
import { type FactorLevel, factorNamed, factorPath } from '@topo-bench/core';
import { factorScope, parseOverridePath } from '@topo-bench/topology';
import type { Choices } from './choices.ts';

export type ExperimentDocument = Record<string, unknown>;

/** A document with the choices of the command line, and the choices that are fields of the topology. */
export interface ChosenDocument {
  document: ExperimentDocument;
  topologyLevels: Record<string, FactorLevel>;
}

/**
 * Puts choices into the document. A choice that names a factor becomes its only level.
 * @throws TopoBenchError `TB_OVERRIDE_UNKNOWN_FIELD`
 */
export function withChoices(
  original: ExperimentDocument,
  { set = {}, without = [] }: Pick<Choices, 'set' | 'without'>,
): ChosenDocument {
  let document = withoutFactors(original, without);
  const topologyLevels: Record<string, FactorLevel> = {};
  for (const [name, value] of Object.entries(set)) {
    const factor = factorNamed(name, Object.keys((document.factors as Record<string, unknown> | undefined) ?? {}));
    if (factor !== undefined) document = withField(document, ['factors', factor], [value]);
    else if (name !== 'topology' && factorScope(name) === 'topology') topologyLevels[name] = value as FactorLevel;
    else document = withLevel(document, name, value);
  }
  return { document, topologyLevels };
}

function withoutFactors(original: ExperimentDocument, names: readonly string[]): ExperimentDocument {
  const copy = structuredClone(original);
  const { factors } = copy as { factors?: Record<string, unknown> };
  for (const name of names) {
    const factor = factorNamed(name, Object.keys(factors ?? {}));
    if (factor !== undefined) delete factors?.[factor];
  }
  return copy;
}

/**
 * The document with one level of a factor that varies the experiment; one that varies the topology changes nothing
 * here.
 */
export function withLevel(document: ExperimentDocument, factor: string, level: unknown): ExperimentDocument {
  if (factor !== 'topology' && factorScope(factor) === 'topology') return document;
  return withField(document, parseOverridePath(factorPath(factor)), level);
}

/** Levels of a cell that vary the topology. */
export function topologyLevelsOf(levels: Readonly<Record<string, FactorLevel>>): Record<string, FactorLevel> {
  return Object.fromEntries(Object.entries(levels).filter(([factor]) => factorScope(factor) === 'topology'));
}

/** A copy without the field at that path of maps. The others keep their order. */
export function withoutField(
  document: Readonly<Record<string, unknown>>,
  [step, ...inside]: readonly string[],
): ExperimentDocument {
  const members = Object.entries(document).flatMap(([key, value]) => {
    if (key !== step) return [[key, value] as const];
    return inside.length === 0 ? [] : [[key, withoutField(value as ExperimentDocument, inside)] as const];
  });
  return Object.fromEntries(members);
}

/** A copy with the field replaced; missing maps on its path are created. */
function withField(
  document: ExperimentDocument,
  path: readonly (string | number)[],
  value: unknown,
): ExperimentDocument {
  const copy = structuredClone(document);
  let parent: Record<string, unknown> = copy;
  for (const step of path.slice(0, -1)) {
    if (typeof parent[step] !== 'object' || parent[step] === null) parent[step] = {};
    parent = parent[step] as Record<string, unknown>;
  }
  parent[path.at(-1) as string | number] = value;
  return copy;
}
