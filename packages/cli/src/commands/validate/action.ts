/** The work of `validate`: check every file, and print each problem once. */
import { counted, ExitCode, formatLocation, type Problem } from '@topo-bench/core';
import { printJson, printLine } from '../../output.ts';
import type { ValidateFlags } from './options.ts';
import { validateFile } from './validate-file.ts';

export async function action(files: string[], { json }: ValidateFlags): Promise<void> {
  // A rule file of several topologies is reported once.
  const problems = new Map<string, Problem>();
  const canShow: { file: string; text: string }[] = [];
  for (const file of files) {
    const checked = await validateFile(file);
    for (const problem of checked.problems) problems.set(`${formatLocation(problem)} ${problem.message}`, problem);
    if (checked.canShow !== undefined) canShow.push({ file, text: checked.canShow });
  }
  const found = [...problems.values()];
  const errors = found.filter(({ severity }) => severity !== 'warning').length;
  if (json) printJson({ problems: found, canShow });
  else print(files, found, errors, canShow);
  if (errors > 0) process.exitCode = ExitCode.badInput;
}

function print(
  files: readonly string[],
  problems: readonly Problem[],
  errors: number,
  canShow: readonly { file: string; text: string }[],
): void {
  for (const problem of problems) {
    printLine(`${formatLocation(problem)}: ${problem.severity ?? 'error'} ${problem.code}: ${problem.message}`);
    if (problem.hint) printLine(`  hint: ${problem.hint}`);
  }
  for (const { file, text } of canShow) printLine(`${file}: what it can show: ${text}`);
  const warnings = problems.length - errors;
  const counts = [counted(errors, 'error'), ...(warnings > 0 ? [counted(warnings, 'warning')] : [])];
  printLine(`${counted(files.length, 'file')} checked: ${counts.join(', ')}`);
}
