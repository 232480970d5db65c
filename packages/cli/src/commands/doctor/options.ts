/** `doctor`: what this machine can run, and the commands that add missing parts. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench doctor          what this machine can run
  topo-bench doctor --json   the same for scripts
`;

export interface DoctorFlags {
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description('Lists what this machine can run, and the command that would add what it cannot.')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples);
}
