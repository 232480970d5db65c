/** `init`: a project with a commented topology, rule set and experiment to edit. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench init             topology.yaml, rules.yaml, experiment.yaml and package.json, here
  topo-bench init my-study    the same in a new folder
`;

export interface InitFlags {
  force?: boolean;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description('Writes a project: a commented topology, rule set and experiment to edit, and scripts to run them.')
    .argument('[folder]', 'where to write them', '.')
    .option('--force', 'overwrite existing files, except package.json')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples);
}
