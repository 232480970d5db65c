/** `rules diff`: the requests of a topology whose decision changes from one rule file to another. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench rules diff rules/gdpr.yaml new.yaml --topology gdpr-mail-order          what would new.yaml change?
  topo-bench rules diff rules/gdpr.yaml new.yaml --topology gdpr-mail-order --json   the same for scripts
`;

export interface DiffFlags {
  topology: string;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description('Lists the requests of a topology whose decision changes. Exit code 1 when there are any.')
    .argument('<before>', 'rule file, or the name of a shipped one')
    .argument('<after>', 'rule file to compare with it')
    .requiredOption('--topology <file>', 'topology with the classes of requests and the services')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples);
}
