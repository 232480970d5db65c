/** The work of `validate`: check every file, and print each problem once. */
import { counted, ExitCode, formatLocation, type Problem } from '@topo-bench/core';
import { printJson, printLine } from '../../output.ts';
import type { ValidateFlags } from './options.ts';
import { validateFile } from './validate-file.ts';

export async function action(files: string[], { json }: ValidateFlags): Promise<void> {
  // A rule file of several topologies is reported once.
  const problems = new Map<string, Problem>();
  for (const file of files) {
    for (const problem of await validateFile(file))
      problems.set(`${formatLocation(problem)} ${problem.message}`, problem);
  }
  const found = [...problems.values()];
  const errors = found.filter(({ severity }) => severity !== 'warning').length;
  if (json) printJson({ problems: found });
  else print(files, found, errors);
  if (errors > 0) process.exitCode = ExitCode.badInput;
}

function print(files: readonly string[], problems: readonly Problem[], errors: number): void {
  for (const problem of problems) {
    printLine(`${formatLocation(problem)}: ${problem.severity ?? 'error'} ${problem.code}: ${problem.message}`);
    if (problem.hint) printLine(`  hint: ${problem.hint}`);
  }
  const warnings = problems.length - errors;
  const counts = [counted(errors, 'error'), ...(warnings > 0 ? [counted(warnings, 'warning')] : [])];
  printLine(`${counted(files.length, 'file')} checked: ${counts.join(', ')}`);
}
