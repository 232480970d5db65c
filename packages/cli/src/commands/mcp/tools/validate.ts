/** `validate`: the problems of a file and of those that it leads to. */
import { shellLine } from '@topo-bench/core';
import { checkFile } from '@topo-bench/workbench/check-file';
import type { ToolContext } from '../tool-context.ts';

export async function validate({ file }: { file: string }, { files }: ToolContext): Promise<object> {
  const { problems, canShow } = await checkFile(await files.inside(file), {
    read: files.read,
    admit: (path) => files.inside(path),
  });
  const valid = problems.every(({ severity }) => severity === 'warning');
  return {
    valid,
    problems,
    ...(canShow !== undefined && { canShow }),
    command: shellLine(['topo-bench', 'validate', file]),
  };
}
