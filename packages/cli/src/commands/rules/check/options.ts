/** `rules check`: whether all architectures decide alike with their parts of the rules. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench rules check rules/gdpr.yaml --topology gdpr-mail-order          central entity, all routers, sidecars
  topo-bench rules check rules/gdpr.yaml --topology gdpr-mail-order --json   the same for scripts
`;

export interface CheckFlags {
  topology: string;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Proves that the parts of the rules at central entity, routers and sidecars decide every request alike.\n' +
        'Prints a request on which they differ, with exit code 1, when they do not.',
    )
    .argument('<file>', 'rule file, or the name of a shipped one')
    .requiredOption('--topology <file>', 'topology with the services and their places')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples);
}
