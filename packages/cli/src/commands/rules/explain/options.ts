/** `rules explain`: which rule decides one step, and why. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench rules explain rules/gdpr.yaml --request r.json --target scoring
  topo-bench rules explain rules/gdpr.yaml --request r.json --target scoring --topology topologies/gdpr-mail-order.yaml

r.json holds the facts of the request:
  { "origin": "eu", "categories": ["personal"], "consents": ["analytics"], "payload": { "customer": "…" } }
`;

export interface ExplainFlags {
  request: string;
  target: string;
  topology?: string;
  visited?: string;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description('Shows which rule decides a step, and why each of the other rules does not match.')
    .argument('<file>', 'rule file, or the name of a shipped one')
    .requiredOption('--request <file>', 'JSON or YAML file with the request')
    .requiredOption('--target <service>', 'service that would receive the data')
    .option('--topology <file>', 'topology with the node and the tags of the service')
    .option('--visited <services>', 'services that already received the data, comma-separated, in order')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples);
}
