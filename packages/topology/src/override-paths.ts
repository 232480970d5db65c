/**
 * Paths of overrides: `deadlines.hop`, `nodes[0].region`, `services.scoring.work`. A step into a list is an index or
 * the name of an entry. Paths are checked against the schema: a misspelt path is an error, not a new field.
 */
import { suggestName, TopoBenchError } from '@topo-bench/core';
import { topologyFile } from '@topo-bench/core/schema/topology';
import { fieldsAt, knownSteps } from './schema-fields.ts';
import type { Path } from './source-document.ts';

/** Splits a path into steps. Whole numbers are indexes. Square brackets and dots are equivalent. */
export function parseOverridePath(text: string): Path {
  const steps = text.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/**
 * Sets the value at the path in plain data for the topology schema. Creates missing maps on the way.
 * @throws TopoBenchError `TB_OVERRIDE_UNKNOWN_FIELD` when the schema has no such field, or a list no such entry
 */
export function setByPath(input: Record<string, unknown>, text: string, value: unknown): void {
  const path = indexed(input, parseOverridePath(text), text);
  assertField(path, text);
  let parent = input;
  for (const step of path.slice(0, -1)) {
    const child = parent[step];
    if (typeof child !== 'object' || child === null) parent[step] = {};
    parent = parent[step] as Record<string, unknown>;
  }
  parent[path.at(-1)!] = value;
}

/** The path with names of list entries replaced by their indexes. */
function indexed(input: unknown, path: Path, text: string): Path {
  let at: unknown = input;
  return path.map((step) => {
    const index = Array.isArray(at) ? entryIndex(at, step, text) : step;
    at = typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[index] : undefined;
    return index;
  });
}

function entryIndex(list: readonly unknown[], step: string | number, text: string): number {
  const names = list.map((entry) => String((entry as { name?: unknown } | null)?.name ?? ''));
  const index = names.indexOf(String(step));
  if (index >= 0) return index;
  if (typeof step === 'number' && step < list.length) return step;
  const known = names.filter((name) => name !== '');
  throw new TopoBenchError(
    'TB_OVERRIDE_UNKNOWN_FIELD',
    `the path "${text}" leads to no entry: the list has none named "${step}"`,
    {
      hint: suggestName(String(step), known, 'entries'),
    },
  );
}

function assertField(path: Path, text: string): void {
  // A map with free keys would accept `__proto__`, and the write would change all objects.
  const depth = path.includes('__proto__') ? path.indexOf('__proto__') : knownSteps(topologyFile, path);
  if (depth === path.length) return;
  const known = fieldsAt(topologyFile, path.slice(0, depth));
  const before = path.slice(0, depth).join('.');
  throw new TopoBenchError('TB_OVERRIDE_UNKNOWN_FIELD', `a topology has no field "${text}"`, {
    hint: suggestName(String(path[depth]), known, before === '' ? 'fields' : `fields of ${before}`),
  });
}
