/**
 * `docs/schema-reference.md`: every field of every file with its type, default and meaning, read from the JSON Schemas.
 */
import { ruleDecorators, ruleFactMembers, ruleOperators } from '@topo-bench/core';
import type { GeneratedFile } from './generator.ts';
import { paragraph } from './paragraph.ts';
import { fileSchema, type SchemaFile, schemaFiles } from './schema-files.ts';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  definitions?: Record<string, Schema>;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  description?: string;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

interface Row {
  path: string;
  types: string[];
  fallback: string;
  description: string;
}

export function schemaReference(): GeneratedFile[] {
  const content = [
    '# Schema reference',
    '',
    '<!-- Generated from packages/core/src/schema by `npm run generate`; edit there. -->',
    '',
    ...paragraph(
      'Durations and sizes carry units (`10ms`, `2s`, `64KiB`), rates are requests per second. In a path, `[]` is any ' +
        'entry of a list and `*` any key of a map. The JSON Schemas for editors are in [`schema/`](schema/); name one in ' +
        'the first line of a file: `# yaml-language-server: $schema=…`.',
    ),
    '',
    ...schemaFiles.flatMap(section),
    '## Facts of conditions',
    '',
    '| fact | members |',
    '|---|---|',
    ...Object.entries(ruleFactMembers).map(
      ([fact, members]) => `| \`${fact}\` | ${members.map((member) => `\`$.${member}\``).join(', ')} |`,
    ),
    '',
    ...paragraph(`Operators: ${ruleOperators.map(code).join(', ')}.`),
    '',
    ...paragraph(
      `Decorators, written before an operator (\`someFact:not:equal\`): ${ruleDecorators.map(code).join(', ')}.`,
    ),
    '',
  ];
  return [{ path: 'docs/schema-reference.md', content: content.join('\n') }];
}

function section(file: SchemaFile): string[] {
  const schema = fileSchema(file) as Schema;
  return [
    `## ${file.heading}`,
    '',
    ...paragraph(`${schema.description ?? ''} [JSON Schema](schema/${file.name}.schema.json)`.trim()),
    '',
    ...table(schema),
    ...Object.entries(schema.definitions ?? {}).flatMap(([name, form]) => definition(name, form)),
  ];
}

/** A schema part with several uses, or with a reference to itself. */
function definition(name: string, form: Schema): string[] {
  const text = form.description === undefined ? '' : `${form.description} `;
  return [`### \`${name}\``, '', ...paragraph(`${text}Written as ${typeOf(form)}.`), '', ...table(form)];
}

function table(schema: Schema): string[] {
  const rows = merged(rowsOf(schema, ''));
  if (rows.length === 0) return [];
  return [
    '| field | type | default | meaning |',
    '|---|---|---|---|',
    ...rows.map(
      ({ path, types, fallback, description }) =>
        `| \`${path}\` | ${types.join(', ')} | ${fallback} | ${description} |`,
    ),
    '',
  ];
}

/** Rows of the fields of a schema, depth first. References (recursive forms) are named and not followed. */
function rowsOf(schema: Schema, path: string): Row[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const required = schema.required?.includes(name) ?? false;
    return [row(at, field, required), ...rowsOf(field, at)];
  });
  const free = typeof schema.additionalProperties === 'object' ? rowsOf(schema.additionalProperties, `${path}.*`) : [];
  const entries = schema.items ? rowsOf(schema.items, `${path}[]`) : [];
  const forms = (schema.anyOf ?? []).flatMap((form) => rowsOf(form, path));
  return [...fields, ...free, ...entries, ...forms];
}

function row(path: string, schema: Schema, required: boolean): Row {
  const fallback = schema.default === undefined ? (required ? 'required' : '') : code(JSON.stringify(schema.default));
  return {
    path,
    types: [escaped(typeOf(schema))],
    fallback: escaped(fallback),
    description: escaped(schema.description ?? ''),
  };
}

/** One row per field. For a field in several forms of a union, the row names all types. */
function merged(rows: readonly Row[]): Row[] {
  const byPath = new Map<string, Row>();
  for (const one of rows) {
    const first = byPath.get(one.path);
    byPath.set(one.path, first ? { ...first, types: [...new Set([...first.types, ...one.types])] } : one);
  }
  return [...byPath.values()];
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return code(schema.$ref.split('/').at(-1) ?? '');
  // A reference with its own description.
  if (schema.allOf?.length === 1) return typeOf(schema.allOf[0]!);
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(', ');
  if (schema.anyOf && !schema.type) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  if (schema.type === 'object') return 'map';
  if (schema.type === 'string' && schema.examples)
    return `text, e.g. ${schema.examples.map((one) => code(String(one))).join(', ')}`;
  const noun = { string: 'text', integer: 'whole number', number: 'number', boolean: 'true or false', null: '`null`' }[
    schema.type ?? ''
  ];
  return `${noun ?? 'anything'}${range(schema)}`;
}

function range({ minimum, maximum, exclusiveMinimum }: Schema): string {
  const low =
    minimum !== undefined ? `from ${minimum}` : exclusiveMinimum !== undefined ? `above ${exclusiveMinimum}` : '';
  const high = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : `to ${maximum}`;
  const bounds = [low === `from ${Number.MIN_SAFE_INTEGER}` ? '' : low, high].filter((bound) => bound !== '');
  return bounds.length === 0 ? '' : `, ${bounds.join(' ')}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
