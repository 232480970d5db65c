/** All problems of one file and of the files that it refers to, checked by its `kind`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { type CheckedFile, checkFile } from '@topo-bench/workbench/check-file';

/** A file that cannot be read is a problem like others: further files are checked too. */
export async function validateFile(file: string): Promise<CheckedFile> {
  try {
    return await checkFile(file);
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_FILE_NOT_FOUND') throw error;
    const hint = await filesIn(file);
    const { code, message } = error;
    return { problems: [{ file, line: 1, column: 1, code, message, ...(hint !== undefined && { hint }) }] };
  }
}

/** A hint for a folder in place of a file. */
async function filesIn(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder).catch(() => undefined);
  if (!entries) return undefined;
  const names = entries.filter((name) => /\.(ya?ml|json)$/i.test(name)).sort();
  if (names.length === 0) return 'it has no YAML or JSON file';
  const shown = names.slice(0, 5).map((name) => join(folder, name));
  const more = names.length > shown.length ? `, … (${names.length} in all)` : '';
  return `name the ${names.length === 1 ? 'file' : 'files'} in it: ${shown.join(', ')}${more}`;
}
