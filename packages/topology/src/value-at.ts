/** Reads plain data by path. */
import type { Path } from './source-document.ts';

/** The value at the path; undefined when the path does not exist. Reads own members only. */
export function valueAt(document: unknown, path: Path): unknown {
  let value = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}
