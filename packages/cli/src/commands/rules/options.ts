/** `rules`: tests and explains the decisions of a rule file. Its parts `test` and `explain` do the work. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench rules test rules/gdpr.yaml
  topo-bench rules explain rules/gdpr.yaml --request r.json --target scoring --topology topologies/gdpr-mail-order.yaml
`;

export function options(command: Command): void {
  command
    .description('Runs the decision table of a rule file, or explains one decision.')
    .addHelpText('before', examples);
}
