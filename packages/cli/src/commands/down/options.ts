/** `down`: stops running topologies that `up` started, and removes what killed runs left behind. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench down topologies/gdpr-mail-order.yaml   stop what \`up\` started for this file
`;

export interface DownFlags {
  all?: boolean;
  context?: string;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description('Stops a topology that `topo-bench up` keeps running.')
    .argument('[topology]', 'the file (or shipped name) that was given to `up`')
    .option('--all', 'stop every topology, and remove what killed runs left on container engines and clusters')
    .option('--context <name>', 'with --all: context of Docker or of the kubeconfig (default: the current one)')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples);
}
