/** Completion of YAML from a JSON schema: fields and values that fit at the cursor. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  definitions?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  type?: string | string[];
  description?: string;
  default?: unknown;
}

/** Names that the text itself gives: they complete `node:`, `from:` and steps of the flow. */
export interface KnownNames {
  nodes: readonly string[];
  regions: readonly string[];
  services: readonly string[];
  /** Conditions of the rules. */
  conditions: readonly string[];
}

export function completionOf(schema: unknown, names: () => KnownNames) {
  const root = schema as Schema;
  return (context: CompletionContext): CompletionResult | null => {
    const before = context.state.sliceDoc(0, context.pos);
    const word = context.matchBefore(/[\w.-]*/);
    if (!word || (word.from === word.to && !context.explicit && !/[:{,[]\s*$|^\s*$/.test(lastLine(before))))
      return null;
    const place = placeIn(before.slice(0, word.from));
    const options = place.key === undefined ? fieldsOf(root, place.path) : valuesOf(root, place, names());
    return options.length === 0 ? null : { from: word.from, options, validFor: /^[\w.-]*$/ };
  };
}

export interface Place {
  /** Keys from the root; `*` is a member of a list. */
  path: string[];
  /** The field whose value is at the cursor; undefined for the name of a field. */
  key?: string;
}

/** Where the end of a text is, by indentation and open brackets. Good enough to complete; the checks are elsewhere. */
export function placeIn(text: string): Place {
  const lines = text.split('\n');
  const stack: { indent: number; step: string }[] = [];
  const popTo = (indent: number, isDash: boolean): void => {
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      // A list may have the indentation of its key.
      const isInside = top.indent < indent || (isDash && top.indent === indent && top.step !== '*');
      if (isInside) return;
      stack.pop();
    }
  };
  for (const [at, line] of lines.entries()) {
    const isLast = at === lines.length - 1;
    if (!isLast && /^\s*(#|$)/.test(line)) continue;
    let indent = line.search(/\S|$/);
    let rest = line.slice(indent);
    for (let dash = /^- +/.exec(rest); dash; dash = /^- +/.exec(rest)) {
      popTo(indent, true);
      stack.push({ indent, step: '*' });
      indent += dash[0].length;
      rest = rest.slice(dash[0].length);
    }
    popTo(indent, false);
    const key = /^([\w.-]+):(?=\s|$)/.exec(rest)?.[1];
    if (isLast) {
      const own = inLine(rest);
      const path = [...stack.map(({ step }) => step), ...own.path];
      return { path, ...(own.key !== undefined && { key: own.key }) };
    }
    if (key !== undefined) stack.push({ indent, step: key });
  }
  return { path: [] };
}

/** Follows open braces and brackets of one line. A member of an open list has the key ''. */
function inLine(text: string): Place {
  const path: string[] = [];
  /** Steps that the open brackets have added. */
  const open: number[] = [];
  let key: string | undefined;
  for (const [token] of text.matchAll(/[{}[\],]|[\w.-]+(?=:(?:\s|$))|[^\s{}[\],:]+/g)) {
    if (token === '{' || token === '[') {
      const steps = [...(key === undefined || key === '' ? [] : [key]), ...(token === '[' ? ['*'] : [])];
      path.push(...steps);
      open.push(steps.length);
      key = token === '[' ? '' : undefined;
    } else if (token === '}' || token === ']') {
      path.splice(path.length - (open.pop() ?? 0));
      key = undefined;
    } else if (token === ',') key = path.at(-1) === '*' && open.at(-1) !== 0 ? '' : undefined;
    else key ??= token;
  }
  return { path, ...(key !== undefined && { key }) };
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}

function fieldsOf(root: Schema, path: readonly string[]): Completion[] {
  const found = new Map<string, Completion>();
  for (const schema of schemasAt(root, path)) {
    for (const [label, field] of Object.entries(schema.properties ?? {})) {
      const info = descriptionOf(root, field);
      found.set(label, { label, type: 'property', apply: `${label}: `, ...(info !== undefined && { info }) });
    }
  }
  return [...found.values()];
}

function valuesOf(root: Schema, { path, key }: Place, names: KnownNames): Completion[] {
  const full = key === '' || key === undefined ? path : [...path, key];
  const values = schemasAt(root, full).flatMap((schema) => [
    ...(schema.enum ?? []),
    ...(schema.const === undefined ? [] : [schema.const]),
    ...(schema.type === 'boolean' ? [true, false] : []),
  ]);
  const own =
    key === 'node'
      ? names.nodes
      : key === 'from' || key === 'to'
        ? [...names.regions, ...names.nodes]
        : key === 'region' || key === 'origin'
          ? names.regions
          : path[0] === 'flow' || key === 'flow'
            ? names.services
            : key === 'condition'
              ? names.conditions
              : [];
  return [...new Set([...own, ...values.map(String)])].map((label) => ({ label, type: 'enum' }));
}

function descriptionOf(root: Schema, schema: Schema): string | undefined {
  return schema.description ?? resolved(root, schema).description;
}

function schemasAt(root: Schema, path: readonly string[]): Schema[] {
  let at = alternativesOf(root, root);
  for (const step of path) {
    at = at.flatMap((schema) => {
      const { additionalProperties: others } = schema;
      const named = schema.properties?.[step] ?? (typeof others === 'object' ? others : undefined);
      const next = step === '*' ? schema.items : named;
      return next ? alternativesOf(root, next) : [];
    });
  }
  return at;
}

function alternativesOf(root: Schema, schema: Schema): Schema[] {
  const own = resolved(root, schema);
  const all = [...(own.anyOf ?? []), ...(own.oneOf ?? []), ...(own.allOf ?? [])];
  return [own, ...all.flatMap((one) => alternativesOf(root, one))];
}

function resolved(root: Schema, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return (name !== undefined && { ...root.$defs, ...root.definitions }[name]) || schema;
}
