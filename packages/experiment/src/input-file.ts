/** Reads one input file of a run. Its errors have the path as a user would write it, and the file that names it. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import type { SourceText } from '@topo-bench/topology';

/**
 * @param namedBy file that leads to this one
 * @throws TopoBenchError `TB_FILE_NOT_FOUND`
 */
export async function readText(file: string, namedBy?: string): Promise<SourceText> {
  const shown = shownPath(file);
  try {
    return { file: shown, text: await readFile(file, 'utf8') };
  } catch (cause) {
    const from = namedBy === undefined ? '' : `, which ${shownPath(namedBy)} names`;
    throw new TopoBenchError('TB_FILE_NOT_FOUND', `cannot read ${shown}${from}: ${systemErrorText(cause)}`, { cause });
  }
}

/** Relative to the working directory. */
export function shownPath(file: string): string {
  return relative('.', file) || file;
}
