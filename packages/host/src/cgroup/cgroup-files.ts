/** Files of a control group: single values, and tables of `name value`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns undefined when the file does not exist */
export function readText(folder: string | undefined, file: string): string | undefined {
  if (folder === undefined) return undefined;
  try {
    return readFileSync(join(folder, file), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** @returns undefined when the file does not exist or contains no number */
export function readNumber(folder: string | undefined, file: string): number | undefined {
  const value = Number(readText(folder, file) || Number.NaN);
  return Number.isNaN(value) ? undefined : value;
}

/** @returns values by name; empty when the file does not exist */
export function readTable(folder: string | undefined, file: string): ReadonlyMap<string, number> {
  const lines = (readText(folder, file) ?? '').split('\n');
  return new Map(lines.map((line) => line.split(' ')).map(([name = '', value]) => [name, Number(value)]));
}

/** The object without undefined entries. */
export function known<Fields extends object>(fields: { [Name in keyof Fields]: Fields[Name] | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
