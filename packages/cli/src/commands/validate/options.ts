/** `validate`: all problems of topology, rule and experiment files at once, each at its place. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench validate topology.yaml                    the topology and the rules that it names
  topo-bench validate experiment.yaml                  also every level of every factor
  topo-bench validate topologies/*.yaml rules/*.yaml   many at once
`;

export interface ValidateFlags {
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Reports all problems of topology, rule and experiment files as file:line:column. ' +
        'The `kind` in each file selects the checks.',
    )
    .argument('<file...>', 'files to check')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples);
}
