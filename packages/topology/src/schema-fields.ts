/**
 * Lists the fields of a schema at a path, from its JSON Schema. Suggestions and override paths need no list of their
 * own.
 */
import { z } from 'zod';
import type { Path } from './source-document.ts';

/** The parts of a JSON Schema that describe nested values. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

const cache = new WeakMap<z.ZodType, JsonSchema>();

/** The JSON Schema of the input format: before defaults and units are applied. */
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  let found = cache.get(schema);
  if (!found) {
    found = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
    cache.set(schema, found);
  }
  return found;
}

/**
 * Names of the fields of a map at that path, over all its forms. Empty if the map has no fixed fields.
 * @param given names that the map has: only forms with all of them count, if there are any
 */
export function fieldsAt(schema: z.ZodType, path: Path, given: readonly string[] = []): string[] {
  const all = path.reduce<JsonSchema[]>((at, step) => descend(at, step, jsonSchemaOf(schema)), start(schema));
  const fitting = all.filter((variant) => given.every((name) => own(variant.properties, name)));
  const variants = fitting.length > 0 ? fitting : all;
  return [...new Set(variants.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** Number of leading steps of the path that exist in the schema: all of them if the field exists. */
export function knownSteps(schema: z.ZodType, path: Path): number {
  let variants = start(schema);
  for (const [depth, step] of path.entries()) {
    variants = descend(variants, step, jsonSchemaOf(schema));
    if (variants.length === 0) return depth;
  }
  return path.length;
}

function start(schema: z.ZodType): JsonSchema[] {
  const root = jsonSchemaOf(schema);
  return forms(root, root);
}

function descend(variants: readonly JsonSchema[], step: string | number, root: JsonSchema): JsonSchema[] {
  return variants.flatMap(({ properties, additionalProperties, items }) => {
    const next = typeof step === 'number' ? items : (own(properties, step) ?? additionalProperties);
    return typeof next === 'object' ? forms(next, root) : [];
  });
}

function own(properties: Record<string, JsonSchema> | undefined, name: string): JsonSchema | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Resolves references and alternatives of a schema into a list of plain forms. */
function forms(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  if (schema.$ref !== undefined) {
    const target = schema.$ref === '#' ? root : root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    return target ? forms(target, root) : [];
  }
  return schema.anyOf ? [schema, ...schema.anyOf.flatMap((form) => forms(form, root))] : [schema];
}
