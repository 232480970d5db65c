/** Fields of a configuration. Values are in no message: they may be secret. */
import { TopoBenchError } from '@topo-bench/core';

/** @throws TopoBenchError `TB_USAGE` */
export function requiredText(document: unknown, field: string): string {
  const value = optionalText(document, field);
  if (value === undefined) throw wrong(field, 'nothing', 'text');
  return value;
}

/** @throws TopoBenchError `TB_USAGE` */
export function optionalText(document: unknown, field: string): string | undefined {
  const value = fieldOf(document, field);
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw wrong(field, kindOf(value), 'text');
}

/** @throws TopoBenchError `TB_USAGE` */
export function optionalTexts(document: unknown, field: string): readonly string[] | undefined {
  const value = fieldOf(document, field);
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw wrong(field, kindOf(value), 'a list of texts');
}

/** At least one. @throws TopoBenchError `TB_USAGE` */
export function requiredTexts(document: unknown, field: string): readonly string[] {
  const values = optionalTexts(document, field) ?? [];
  if (values.length === 0) throw wrong(field, 'nothing', 'a list of texts');
  return values;
}

function fieldOf(document: unknown, field: string): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new TopoBenchError('TB_USAGE', `configuration: got ${kindOf(document)}, expected an object`);
  return (document as Record<string, unknown>)[field] ?? undefined;
}

function kindOf(value: unknown): string {
  if (value === '') return 'an empty text';
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}

function wrong(field: string, got: string, expected: string): TopoBenchError {
  return new TopoBenchError('TB_USAGE', `configuration, field \`${field}\`: got ${got}, expected ${expected}`, {
    hint: 'the command spec prints the schema of the configuration',
  });
}
