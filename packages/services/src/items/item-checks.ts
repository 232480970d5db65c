/**
 * Compiles the schemas of the item routes. A check reports all problems of a request at once, each with its location.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { RequestCheck } from '../http/http-port.ts';
import { readCursor } from './cursor.ts';
import { idSchema, newItemSchema, nothingSchema, querySchema, replacementSchema } from './item-schemas.ts';
import { isIsoTime, readTime } from './times.ts';

const formats: Readonly<Record<string, { expected: string; check(text: string): boolean }>> = {
  'iso-time': { expected: 'a time such as 2026-03-01T12:00:00.000Z', check: isIsoTime },
  'date-or-time': {
    expected: 'a date or a time such as 2026-03-01 or 2026-03-01T12:00:00Z',
    check: (text) => readTime(text) !== undefined,
  },
  cursor: { expected: 'the `next` of an answer', check: (text) => readCursor(text) !== undefined },
  // Only the form is checked here; decryption happens on use.
  'sealed-cursor': { expected: 'the `next` of an answer', check: (text) => /^[A-Za-z0-9_-]{1,400}$/.test(text) },
};

export interface ItemChecks {
  newItem: RequestCheck;
  replacement: RequestCheck;
  id: RequestCheck;
  query: RequestCheck;
  nothing: RequestCheck;
}

const compiled = new Map<'cursor' | 'sealed-cursor', ItemChecks>();

/**
 * Compiled once in a process: a central entity checks for many services.
 * @param cursors format of the query parameter `after`
 */
export function itemChecks(cursors: 'cursor' | 'sealed-cursor'): ItemChecks {
  const checks = compiled.get(cursors) ?? compile(cursors);
  compiled.set(cursors, checks);
  return checks;
}

function compile(cursors: 'cursor' | 'sealed-cursor'): ItemChecks {
  const ajv = new Ajv({ allErrors: true, useDefaults: true, unicodeRegExp: true, strict: true, verbose: true });
  // Query values are text: only there may the text `20` be a number.
  const ajvOfQuery = new Ajv({
    allErrors: true,
    useDefaults: true,
    coerceTypes: true,
    unicodeRegExp: true,
    strict: true,
    verbose: true,
  });
  for (const [name, { check }] of Object.entries(formats)) {
    ajv.addFormat(name, check);
    ajvOfQuery.addFormat(name, check);
  }
  const checkOf = (schema: object, compiler = ajv): RequestCheck => ({
    schema,
    problemsOf: problemsFrom(compiler.compile(schema)),
  });
  return {
    newItem: checkOf(newItemSchema),
    replacement: checkOf(replacementSchema),
    id: checkOf(idSchema),
    query: checkOf(querySchema(cursors), ajvOfQuery),
    nothing: checkOf(nothingSchema, ajvOfQuery),
  };
}

function problemsFrom(validate: ValidateFunction): (value: unknown) => string[] {
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(wordsOf));
}

/** e.g. `lines[0].quantity: must be >= 1, got 0` */
function wordsOf({ instancePath, keyword, params, message, data }: ErrorObject): string {
  const place = instancePath
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
  const at = (name: string): string => (place === '' ? name : `${place}.${name}`);
  if (keyword === 'required') return `${at(params.missingProperty)}: is missing`;
  if (keyword === 'additionalProperties') return `${at(params.additionalProperty)}: is not known`;
  if (keyword === 'enum')
    return `${at('')}: expected one of ${params.allowedValues.join(', ')}, got ${shown(data)}`.replace('.:', ':');
  if (keyword === 'not') return `${place}: the value ${shown(data)} is reserved`;
  const expected = keyword === 'format' ? `expected ${formats[params.format]?.expected}` : message;
  return `${place || 'the body'}: ${expected}, got ${shown(data)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
