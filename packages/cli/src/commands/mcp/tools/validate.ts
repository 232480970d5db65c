/** `validate`: the problems of a file and of those that it leads to. */
import { checkFile } from '@topo-bench/workbench/check-file';
import type { ToolContext } from '../tool-context.ts';

export async function validate({ file }: { file: string }, { files }: ToolContext): Promise<object> {
  const { problems, canShow } = await checkFile(await files.inside(file), { read: files.read });
  const valid = problems.every(({ severity }) => severity === 'warning');
  return { valid, problems, ...(canShow !== undefined && { canShow }), command: `topo-bench validate ${file}` };
}
