/** The files of a verdict. Their places are checked before a gate measures, which takes minutes. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import { makeFolder } from '@topo-bench/results';
import { writeNamedFile } from '../write-file.ts';

export interface VerdictFlags {
  junit?: string;
  markdown?: string;
}

/** @throws TopoBenchError `TB_USAGE` for a file that cannot be written */
export async function requireVerdictFiles({ junit, markdown }: VerdictFlags): Promise<void> {
  if (junit !== undefined) await requireWritable(`--junit ${junit}`, junit, 'gate.xml');
  if (markdown !== undefined) await requireWritable(`--markdown ${markdown}`, markdown, 'gate.md');
}

/**
 * Writes a file and the folders of its path that are missing.
 * @throws TopoBenchError `TB_FILE_NOT_WRITABLE`
 */
export async function writeVerdictFile(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path)).catch((cause: Error) => {
    const hint = 'name a file that you may write to';
    throw new TopoBenchError('TB_FILE_NOT_WRITABLE', `cannot write ${path}: ${cause.message}`, { hint, cause });
  });
  await writeNamedFile(path, text);
}

async function requireWritable(flag: string, path: string, example: string): Promise<void> {
  const hint = 'name a file that you may write to';
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() || path.endsWith('/')) {
    throw new TopoBenchError('TB_USAGE', `${flag}: got a folder, expected a file`, {
      hint: `name a file in it: ${path.replace(/\/+$/, '')}/${example}`,
    });
  }
  const place = found ? path : await nearestExisting(dirname(resolve(path)));
  if (!found && !(await stat(place)).isDirectory())
    throw new TopoBenchError('TB_USAGE', `${flag}: ${place} is a file, expected a folder`, { hint });
  await access(place, constants.W_OK).catch((cause: unknown) => {
    throw new TopoBenchError('TB_USAGE', `${flag}: cannot write there: ${systemErrorText(cause)}`, { hint, cause });
  });
}

/** The path itself, or the first of the folders above it that exists. */
async function nearestExisting(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  return exists || path === dirname(path) ? path : nearestExisting(dirname(path));
}
