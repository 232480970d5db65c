/** Encodes and decodes `run.json` and `cells.json`. Decoding checks every field by the schema. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { type Cell, cell, type RunRecord, resultSchemaVersion, runRecord } from '@topo-bench/core/schema/result';
import { z } from 'zod';
import { folderError } from './folder-error.ts';

export const runFileName = 'run.json';
export const cellsFileName = 'cells.json';

export function encodeRunRecord(record: RunRecord): string {
  return `${JSON.stringify(record, spellNumbers, 2)}\n`;
}

/** An entry on one line. Lines suit grep, and the file is rewritten without encoding all cells again. */
export function encodeCell(entry: Cell): string {
  return JSON.stringify(entry, spellNumbers);
}

/**
 * As `encodeCell`, with a check by the schema: an invalid entry would make the whole file unreadable.
 * @throws TopoBenchError `TB_INTERNAL`
 */
export function encodeCheckedCell(entry: Cell): string {
  const encoded = encodeCell(entry);
  const result = cell().safeParse(JSON.parse(encoded));
  if (!result.success)
    throw new TopoBenchError('TB_INTERNAL', `a cell entry breaks its schema: ${result.error.message}`);
  return encoded;
}

export function joinCells(encoded: readonly string[]): string {
  return encoded.length === 0 ? '[]\n' : `[\n${encoded.join(',\n')}\n]\n`;
}

/** @throws TopoBenchError `TB_RUN_FOLDER_NOT_FOUND`, `TB_RUN_FOLDER_DAMAGED`, `TB_RUN_FOLDER_VERSION` */
export async function readRunRecord(folder: string): Promise<RunRecord> {
  const path = join(folder, runFileName);
  const value = await readJson(path);
  requireVersion(path, value);
  return check(runRecord(), path, value);
}

/** @throws TopoBenchError `TB_RUN_FOLDER_NOT_FOUND`, `TB_RUN_FOLDER_DAMAGED` */
export async function readCells(folder: string): Promise<Cell[]> {
  const path = join(folder, cellsFileName);
  return check(z.array(cell()), path, await readJson(path));
}

/** Writes +∞ as the string that the schema expects. `JSON.stringify` turns NaN into null. */
function spellNumbers(_key: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? 'Infinity' : value;
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw folderError('read', path, error);
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(path, text.trim() === '' ? 'it is empty' : (cause as Error).message, cause);
  }
}

function requireVersion(path: string, value: unknown): void {
  const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
  if (typeof version !== 'number') throw damaged(path, 'it has no schemaVersion');
  if (version === resultSchemaVersion) return;
  const writer = (value as { environment?: { topoBench?: unknown } }).environment?.topoBench;
  throw new TopoBenchError(
    'TB_RUN_FOLDER_VERSION',
    `${path} has schema version ${version}, this topo-bench reads version ${resultSchemaVersion}`,
    { hint: `read it with the version that wrote it${typeof writer === 'string' ? ` (topo-bench ${writer})` : ''}` },
  );
}

function check<T extends z.ZodType>(schema: T, path: string, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || 'top level'}: ${issue.message}`);
  throw damaged(path, issues.join('; '));
}

function damaged(path: string, why: string, cause?: unknown): TopoBenchError {
  return new TopoBenchError(
    'TB_RUN_FOLDER_DAMAGED',
    `${path} is damaged: ${why}`,
    cause === undefined ? {} : { cause },
  );
}
