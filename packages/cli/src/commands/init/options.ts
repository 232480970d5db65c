/** `init`: a commented topology, rule set and experiment to edit. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench init             topology.yaml, rules.yaml and experiment.yaml, here
  topo-bench init my-study    the same in a new folder
`;

export interface InitFlags {
  force?: boolean;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description('Writes a commented topology, rule set and experiment to edit.')
    .argument('[folder]', 'where to write them', '.')
    .option('--force', 'overwrite existing files')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples);
}
