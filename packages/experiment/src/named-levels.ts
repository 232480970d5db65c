/**
 * Levels with names: a factor that is a map instead of a list. Under the name of a field, each level name has a value
 * of that field. Under any other name, each level has the fields that it sets.
 */
import { type FactorLevel, shortFactorName } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { isFieldName } from '@topo-bench/topology';

/** A field that one level of a factor sets. */
export interface LevelField {
  factor: string;
  level: FactorLevel;
  field: string;
  value: unknown;
  /** Place of the value in the experiment. */
  path: readonly (string | number)[];
}

/** Whether the levels of a factor are maps of fields. */
export function setsFields(factor: string, levels: unknown): levels is Record<string, Record<string, unknown>> {
  return isMap(levels) && !isFieldName(factor) && Object.values(levels).every(isMap);
}

export function levelNames(levels: unknown): FactorLevel[] {
  return isMap(levels) ? Object.keys(levels) : [levels as FactorLevel | FactorLevel[]].flat();
}

/** The fields of every level, in file order. @param factors of an experiment as written */
export function levelFields(factors: unknown): LevelField[] {
  return Object.entries(isMap(factors) ? factors : {}).flatMap(([factor, levels]) => {
    const path = ['factors', factor];
    if (setsFields(factor, levels))
      return Object.entries(levels).flatMap(([level, fields]) =>
        Object.entries(fields).map(([field, value]) => ({
          factor,
          level,
          field,
          value,
          path: [...path, level, field],
        })),
      );
    const values: [FactorLevel, unknown, string | number][] = isMap(levels)
      ? Object.entries(levels).map(([level, value]) => [level, value, level])
      : levelNames(levels).map((level, index) => [level, level, index]);
    return values.map(([level, value, step]) => ({ factor, level, field: factor, value, path: [...path, step] }));
  });
}

/** The values of all fields that these levels set. */
export function fieldsOfLevels(factors: unknown, levels: FactorLevels): Record<string, unknown> {
  const own = levelFields(factors).filter(({ factor, level }) => levels[factor] === level);
  return Object.fromEntries(own.map(({ field, value }) => [field, value]));
}

/** Short names of the fields that levels with fields set; the name of the level stands for them in a cell. */
export function fieldsWithoutColumn(factors: unknown): Set<string> {
  const own = levelFields(factors).filter(({ factor, field }) => field !== factor);
  return new Set(own.map(({ field }) => (/^(topology\.)?flow\b/.test(field) ? 'services' : shortFactorName(field))));
}

/** The factors whose levels have names, as written. */
export function namedFactors(factors: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(isMap(factors) ? factors : {}).filter(([, levels]) => isMap(levels)));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
