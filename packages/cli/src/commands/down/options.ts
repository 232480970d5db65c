/** `down`: stops the running topology that `up` started. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench down topologies/gdpr-mail-order.yaml   stop what \`up\` started for this file
`;

export interface DownFlags {
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description('Stops a topology that `topo-bench up` keeps running.')
    .argument('<topology>', 'the file (or shipped name) that was given to `up`')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples);
}
