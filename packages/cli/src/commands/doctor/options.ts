/** `doctor`: what this machine can run, and the commands that add missing parts. */
import type { Command } from 'commander';
import { addEngineOptions, type EngineFlags } from '../../runner-option.ts';

const examples = `Examples:
  topo-bench doctor          what this machine can run
  topo-bench doctor --json   the same for scripts
  topo-bench doctor --network-policies   deploys one service to see whether the cluster enforces policies
`;

export interface DoctorFlags extends EngineFlags {
  json?: boolean;
  networkPolicies?: boolean;
}

export function options(command: Command): void {
  command
    .description('Lists what this machine can run, and the command that would add what it cannot.')
    .option('--json', 'print one JSON document')
    .option('--network-policies', 'probe whether the cluster enforces them, with pods that are removed (about 30 s)')
    .addHelpText('before', examples);
  addEngineOptions(command);
}
