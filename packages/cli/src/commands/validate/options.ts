/** `validate`: all problems of topology, rule and experiment files at once, each at its place. */
import { ExitCode, formatLocation, type Problem } from '@topo-bench/core';
import { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';

const examples = `Examples:
  topo-bench validate topology.yaml                    the topology and the rules that it names
  topo-bench validate experiment.yaml                  also every level of every factor
  topo-bench validate topologies/*.yaml rules/*.yaml   many at once
`;

export function command(): Command {
  return new Command('validate')
    .description(
      'Reports all problems of topology, rule and experiment files as file:line:column. The `kind` in a file says which it is.',
    )
    .argument('<file...>', 'files to check')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples)
    .action(validate);
}

async function validate(files: string[], { json }: { json?: boolean }): Promise<void> {
  const { validateFile } = await import('./validate-file.ts');
  // A rule file that several topologies name is reported once.
  const problems = new Map<string, Problem>();
  for (const file of files) {
    for (const problem of await validateFile(file)) problems.set(`${formatLocation(problem)} ${problem.message}`, problem);
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
