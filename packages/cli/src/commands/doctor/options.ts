/** `doctor`: what this machine can run, and the command that adds what it cannot. */
import { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { checkMachine, type MachineCheck } from './machine-checks.ts';

const examples = `Examples:
  topo-bench doctor          what this machine can run
  topo-bench doctor --json   the same for scripts
`;

const marks = { ok: '✓', limited: '!', missing: '✗', optional: '·' } as const;

export function command(): Command {
  return new Command('doctor')
    .description('Says what this machine can run, and the command that would add what it cannot.')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples)
    .action(doctor);
}

async function doctor({ json }: { json?: boolean }, { parent }: Command): Promise<void> {
  const checks = await checkMachine();
  const verbs = verbsThatRun(checks, parent?.commands.map((verb) => verb.name()) ?? []);
  if (json) printJson({ checks, verbs });
  else print(checks, verbs);
}

/** Local runs need nothing but Node.js; what is limited shows in the effects above. */
function verbsThatRun(checks: readonly MachineCheck[], names: readonly string[]): { verb: string; runs: boolean }[] {
  const runs = checks.every(({ status }) => status !== 'missing');
  return names.map((verb) => ({ verb, runs }));
}

function print(checks: readonly MachineCheck[], verbs: readonly { verb: string; runs: boolean }[]): void {
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const { name, status, found, effect, remedy } of checks) {
    printLine(`${marks[status]} ${name.padEnd(width)}  ${found}: ${effect}`);
    if (remedy) printLine(`  ${' '.repeat(width)}  ${status === 'limited' ? 'to mend it' : 'to add it'}: ${remedy}`);
  }
  printLine();
  printLine(
    `runs here: ${verbs
      .filter(({ runs }) => runs)
      .map(({ verb }) => verb)
      .join(', ')}`,
  );
}
