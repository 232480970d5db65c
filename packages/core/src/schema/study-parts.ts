/**
 * What kinds of study add to the files of topo-bench: settings in an experiment file, short names of factors, and a
 * payload in the entries of `cells.json`. A kind joins where it is defined, and the schemas are composed of all that
 * have joined.
 */
import { z } from 'zod';
import type { ErrorCode } from '../error-codes.ts';
import { TopoBenchError } from '../errors.ts';
import { addFactors, type FactorRow } from '../factors.ts';

export interface StudyParts {
  readonly kind: string;
  /** By short name; empty where the kind has none. */
  readonly factors: Readonly<Record<string, FactorRow>>;
  /** Absent for a kind whose experiments and cells have no fields of their own. */
  readonly own?: OwnField;
  /** What `run.json` has of files that experiments of this kind read, apart from topology and rules. */
  readonly input?: { readonly name: string; readonly record: z.ZodType };
}

/** A field of one kind of study, in experiment files and in entries of `cells.json` under the same name. */
export interface OwnField {
  readonly name: string;
  /** Its value in an experiment file. The description of the schema is that of the field. */
  readonly settings: z.ZodType;
  /** Its value in an entry of `cells.json`. */
  readonly payload: z.ZodType;
  /** Code of a problem with fields that need services. Present where an experiment with this field deploys none. */
  readonly withoutServices?: ErrorCode;
  /** A threshold on a figure of this kind, for the description of the field `thresholds`. */
  readonly threshold?: string;
}

const joined = new Map<string, StudyParts>();

/**
 * Adds a kind of study to the schemas and factors of this process.
 * @returns the parts, with the literal name of its field, for `SettingsWith` and `CellWith`
 * @throws TopoBenchError `TB_INTERNAL` for a kind, field or factor that another one has already
 */
export function joinStudy<const Parts extends StudyParts>(parts: Parts): Parts {
  const taken = [...joined.values()].find(
    ({ kind, own }) => kind === parts.kind || (own !== undefined && own.name === parts.own?.name),
  );
  if (taken) {
    const message = `the kind of study "${parts.kind}" takes a name of "${taken.kind}"`;
    throw new TopoBenchError('TB_INTERNAL', message);
  }
  addFactors(parts.factors);
  joined.set(parts.kind, parts);
  composed.clear();
  return parts;
}

/** Kinds that have joined, by name. */
export function joinedStudies(): StudyParts[] {
  return [...joined.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** Fields of the kinds that have joined, by name. */
export function ownFields(): OwnField[] {
  return joinedStudies()
    .flatMap(({ own }) => own ?? [])
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const composed = new Map<unknown, unknown>();

/**
 * Optional fields for `extend`. Their names are not known to the types of this package, so that no field of a study is
 * read here; `SettingsWith` and `CellWith` know them.
 */
export function optionalFields(
  fields: readonly (readonly [name: string, schema: z.ZodType])[],
): Record<never, z.ZodType> {
  return Object.fromEntries(fields.map(([name, schema]) => [name, z.optional(schema)]));
}

/** A schema that is composed of the kinds that have joined, again after each that joins. */
export function composedSchema<T>(compose: () => T): () => T {
  return () => {
    if (!composed.has(compose)) composed.set(compose, compose());
    return composed.get(compose) as T;
  };
}
