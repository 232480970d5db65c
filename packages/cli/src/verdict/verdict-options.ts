/** Options of verbs that end in a verdict. Light: `--help` loads them. */
import type { Command } from 'commander';

export interface VerdictOptionFlags {
  allowUndecided?: boolean;
  junit?: string;
  markdown?: string;
  quiet?: boolean;
  json?: boolean;
}

export function addVerdictOptions(command: Command): void {
  command
    .option('--allow-undecided', 'exit 0 when the repetitions cannot tell')
    .option('--junit <file>', 'write the verdicts as JUnit XML')
    .option('--markdown <file>', 'write a summary as Markdown')
    .option('--quiet', 'print no progress: only notes, warnings and the verdict')
    .option('--json', 'print one JSON document');
}
