/** The work of `doctor`: run the checks, and print each finding and its remedy. */

import type { MachineCheck } from '@topo-bench/study-kit/machine-check';
import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { checkMachine } from './machine-checks.ts';
import type { DoctorFlags } from './options.ts';

const marks = { ok: '✓', limited: '!', missing: '✗', optional: '·' } as const;

export async function action({ json, ...flags }: DoctorFlags, { parent }: Command): Promise<void> {
  const checks = await checkMachine(flags);
  const verbs = verbsThatRun(checks, parent?.commands.map((verb) => verb.name()) ?? []);
  if (json) printJson({ checks, verbs });
  else print(checks, verbs);
}

/** Local runs need only Node.js. The effects of the checks name the limitations. */
function verbsThatRun(checks: readonly MachineCheck[], names: readonly string[]): { verb: string; runs: boolean }[] {
  const runs = checks.every(({ status }) => status !== 'missing');
  return names.map((verb) => ({ verb, runs }));
}

function print(checks: readonly MachineCheck[], verbs: readonly { verb: string; runs: boolean }[]): void {
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const { name, status, found, effect, remedy } of checks) {
    printLine(`${marks[status]} ${name.padEnd(width)}  ${found}: ${effect}`);
    if (remedy) printLine(`  ${' '.repeat(width)}  ${status === 'limited' ? 'to fix it' : 'to add it'}: ${remedy}`);
  }
  printLine();
  const running = verbs.filter(({ runs }) => runs).map(({ verb }) => verb);
  printLine(`runs here: ${running.join(', ')}`);
}
