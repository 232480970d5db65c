/** The CSV file of published figures for `--published`. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import type { ResolvedExperiment } from '@topo-bench/experiment/resolve-experiment';
import { studies } from '@topo-bench/studies';
import { note } from '../../output.ts';

/**
 * The file of the flag, or else of the experiment. It is read for the report; here a run ends before it measures.
 * @throws TopoBenchError `TB_PUBLISHED_INVALID` for a file that the report could not show
 */
export async function publishedFile(
  flag: string | true | undefined,
  { experiment, inputs, cells }: ResolvedExperiment,
): Promise<string | undefined> {
  if (flag === undefined) return undefined;
  if (flag === true && experiment.published === undefined) {
    note('warning: --published shows nothing: the experiment names no published figures');
    return undefined;
  }
  const file = flag === true ? resolve(dirname(inputs.experiment.file), experiment.published as string) : flag;
  await readFile(file).catch((cause: unknown) => {
    throw new TopoBenchError('TB_PUBLISHED_INVALID', `--published: cannot read ${file}: ${systemErrorText(cause)}`, {
      hint: 'name a CSV file, or leave out --published',
      cause,
    });
  });
  const study = studies.find(({ kind }) => kind === cells[0]?.study.kind);
  const { readPublished } = (await study?.report()) ?? {};
  if (readPublished) await readPublished(file);
  else note(`warning: --published shows nothing: reports of ${study?.kind} studies have no published figures`);
  return file;
}
