/** Reads one input file of a run. Its errors have the path as a user would write it, and the file that names it. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import type { SourceText } from '@topo-bench/topology';

/**
 * Reads a text: from the disk, or of those that a caller has.
 * @param namedBy file that leads to this one
 * @throws TopoBenchError `TB_FILE_NOT_FOUND`
 */
export type ReadText = (file: string, namedBy?: string) => Promise<SourceText>;

/** From the disk. */
export const readText: ReadText = async (file, namedBy) => {
  try {
    return { file: shownPath(file), text: await readFile(file, 'utf8') };
  } catch (cause) {
    throw notFound(file, namedBy, systemErrorText(cause), cause);
  }
};

/** @param texts contents by path, relative to each other as in a folder */
export function textsByName(texts: Readonly<Record<string, string>>): ReadText {
  return async (file, namedBy) => {
    const name = shownPath(file);
    const text = texts[name];
    if (text === undefined) throw notFound(file, namedBy, 'no text has this name');
    return { file: name, text };
  };
}

/** Relative to the working directory. */
export function shownPath(file: string): string {
  return relative('.', file) || file;
}

function notFound(file: string, namedBy: string | undefined, why: string, cause?: unknown): TopoBenchError {
  const from = namedBy === undefined ? '' : `, which ${shownPath(namedBy)} names`;
  return new TopoBenchError('TB_FILE_NOT_FOUND', `cannot read ${shownPath(file)}${from}: ${why}`, { cause });
}
