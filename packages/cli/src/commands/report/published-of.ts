/** The published figures that the experiment of a finished run names, for `--published` without a file. */
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { openRun } from '@topo-bench/results';
import { note } from '../../output.ts';

/**
 * Relative to the experiment file, which the run folder names as the run was given it.
 * @returns undefined, with a warning, where no run names any
 * @throws TopoBenchError `TB_PUBLISHED_INVALID` for a file that is not there
 */
export async function publishedOf(folders: readonly string[]): Promise<string | undefined> {
  const files = new Set<string>();
  for (const folder of folders) {
    const { record } = await openRun(folder);
    const { published } = (record.experiment ?? {}) as { published?: unknown };
    const { experiment } = (record.inputs ?? {}) as { experiment?: { file?: unknown } };
    if (typeof published === 'string' && typeof experiment?.file === 'string')
      files.add(resolve(dirname(experiment.file), published));
  }
  const [file, other] = files;
  if (file === undefined) {
    note('warning: --published shows nothing: no run names published figures');
    return undefined;
  }
  if (other !== undefined) {
    throw new TopoBenchError(
      'TB_PUBLISHED_INVALID',
      `the runs name different published figures: ${file} and ${other}`,
      {
        hint: 'name one of them: --published FILE',
      },
    );
  }
  await access(file).catch((cause: unknown) => {
    throw new TopoBenchError('TB_PUBLISHED_INVALID', `--published: cannot read ${file}, which the experiment names`, {
      hint: 'go to the folder where the run was started, or name the file: --published FILE',
      cause,
    });
  });
  return file;
}
