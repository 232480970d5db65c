/**
 * The command that writes a project again, as the head of its files names it. The files are committed: secrets of
 * `--set` are left out, as in the record of a run.
 */
import { relative, resolve } from 'node:path';
import { shellLine, TopoBenchError } from '@topo-bench/core';
import { argumentWithoutSecrets, notStored } from '@topo-bench/experiment/stored-secrets';
import type { GenerateFlags } from './options.ts';

/**
 * A command line for the folder of the project: its text is the same in every clone.
 * @param given topology as the user named it
 * @param path of the topology file
 */
export function commandLine(
  given: string,
  path: string,
  folder: string,
  { target, set = [], image, port }: Pick<GenerateFlags, 'target' | 'set' | 'image' | 'port'>,
): string {
  // Not a path from here, so the name of a shipped file.
  const isShipped = resolve(given) !== path;
  const words = [
    ...['topo-bench', 'generate', isShipped ? given : relative(folder, path)],
    ...['--target', target, '--out', '.'],
    ...set.flatMap(([field, value]) => ['--set', argumentWithoutSecrets(`${field}=${value}`)]),
    ...(image === undefined ? [] : ['--image', image]),
    ...(port === undefined ? [] : ['--port', String(port)]),
  ];
  return shellLine(words);
}

/**
 * A copied command has placeholders in place of secrets.
 * @throws TopoBenchError `TB_USAGE`
 */
export function refusePlaceholders(set: GenerateFlags['set'] = []): void {
  const [field] = set.find(([, value]) => value.includes(notStored)) ?? [];
  if (field === undefined) return;
  throw new TopoBenchError('TB_USAGE', `--set ${field}: got the placeholder ${notStored}, expected the value`, {
    hint: 'generated files do not contain secrets of --set: give them again',
  });
}
