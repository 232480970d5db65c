/** `rules`: the decisions of rule files. Its parts do the work. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench rules test rules/gdpr.yaml
  topo-bench rules explain rules/gdpr.yaml --request r.json --target scoring --topology topologies/gdpr-mail-order.yaml
  topo-bench rules diff rules/gdpr.yaml new.yaml --topology gdpr-mail-order
  topo-bench rules check rules/gdpr.yaml --topology gdpr-mail-order
`;

export function options(command: Command): void {
  command
    .description('Tests, explains, compares and checks the decisions of rule files.')
    .addHelpText('before', examples);
}
