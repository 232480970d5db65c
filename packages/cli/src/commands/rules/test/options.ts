/** `rules test`: runs the decision table of a rule file. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench rules test rules/gdpr.yaml          run the decision table that the file carries
  topo-bench rules test rules/gdpr.yaml --json   the same for scripts
`;

export interface TestFlags {
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description('Runs the examples of a rule file with every engine. Exit code 1 when one fails.')
    .argument('<file>', 'rule file, or the name of a shipped one')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples);
}
