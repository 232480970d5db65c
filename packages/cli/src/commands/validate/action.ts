/** The work of `validate`: check every file, and print each problem once. */
import { ExitCode, formatLocation, type Problem } from '@topo-bench/core';
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
  const counts = [
    `${errors} ${errors === 1 ? 'error' : 'errors'}`,
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ];
  printLine(`${files.length} ${files.length === 1 ? 'file' : 'files'} checked: ${counts.join(', ')}`);
}
