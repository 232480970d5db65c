/** The experiment file as plain data, before validation. Choices and levels of factors are inserted here. */
import { type FactorLevel, factorNamed, factorPath, TopoBenchError } from '@topo-bench/core';
import { factorScope, parseOverridePath } from '@topo-bench/topology';
import type { Choices } from './choices.ts';
import { setsFields } from './named-levels.ts';

export type ExperimentDocument = Record<string, unknown>;

/** A document with the choices of the command line, and the choices that are fields of the topology. */
export interface ChosenDocument {
  document: ExperimentDocument;
  topologyLevels: Record<string, FactorLevel>;
}

/**
 * Puts choices into the document. A choice that names a factor becomes its only level.
 * @throws TopoBenchError `TB_OVERRIDE_UNKNOWN_FIELD`; `TB_EXPERIMENT_UNKNOWN_LEVEL` for a name that no level has
 */
export function withChoices(
  original: ExperimentDocument,
  { set = {}, without = [] }: Pick<Choices, 'set' | 'without'>,
): ChosenDocument {
  let document = withoutFactors(original, without);
  const topologyLevels: Record<string, FactorLevel> = {};
  for (const [name, value] of Object.entries(set)) {
    const factors = (document.factors as Record<string, unknown> | undefined) ?? {};
    const factor = factorNamed(name, Object.keys(factors));
    if (factor !== undefined)
      document = withField(document, ['factors', factor], onlyLevel(factor, factors[factor], value));
    else if (name !== 'topology' && factorScope(name) === 'topology') topologyLevels[name] = value as FactorLevel;
    else document = withLevel(document, name, value);
  }
  return { document, topologyLevels };
}

/** The chosen one of levels with names; any value of a field is a level, too. */
function onlyLevel(factor: string, levels: unknown, value: unknown): unknown {
  const named = typeof levels === 'object' && !Array.isArray(levels) ? (levels as Record<string, unknown>) : {};
  const name = String(value);
  if (Object.hasOwn(named, name)) return { [name]: named[name] };
  if (!setsFields(factor, levels)) return [value];
  throw new TopoBenchError('TB_EXPERIMENT_UNKNOWN_LEVEL', `${factor} has no level ${JSON.stringify(name)}`, {
    hint: `levels of ${factor}: ${Object.keys(named).join(', ')}`,
  });
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

/** The document with one field of the experiment; a field of the topology changes nothing here. */
export function withLevel(document: ExperimentDocument, field: string, value: unknown): ExperimentDocument {
  if (field !== 'topology' && factorScope(field) === 'topology') return document;
  return withField(document, parseOverridePath(factorPath(field)), value);
}

/** As `withLevel`, for several fields. */
export function withFields(
  document: ExperimentDocument,
  fields: Readonly<Record<string, unknown>>,
): ExperimentDocument {
  return Object.entries(fields).reduce((at, [field, value]) => withLevel(at, field, value), document);
}

/** Fields of the topology among those that levels set. */
export function topologyFieldsOf(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => factorScope(field) === 'topology'));
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
