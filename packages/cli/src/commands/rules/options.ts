/** `rules test` and `rules explain`: what a rule file decides, and why. */
import { Command } from 'commander';

const examples = `Examples:
  topo-bench rules test rules/gdpr.yaml
  topo-bench rules explain rules/gdpr.yaml --request r.json --target scoring --topology topologies/gdpr-mail-order.yaml
`;

const testExamples = `Examples:
  topo-bench rules test rules/gdpr.yaml          run the decision table that the file carries
  topo-bench rules test rules/gdpr.yaml --json   the same for scripts
`;

const explainExamples = `Examples:
  topo-bench rules explain rules/gdpr.yaml --request r.json --target scoring
  topo-bench rules explain rules/gdpr.yaml --request r.json --target scoring --topology topologies/gdpr-mail-order.yaml

r.json holds what the request says of itself:
  { "origin": "eu", "categories": ["personal"], "consents": ["analytics"], "payload": { "customer": "…" } }
`;

export function command(): Command {
  const rules = new Command('rules')
    .description('Runs the decision table of a rule file, or explains one decision.')
    .addHelpText('before', examples);
  rules.addCommand(
    new Command('test')
      .description('Runs the examples of a rule file with both engines. Exit code 1 when one fails.')
      .argument('<file>', 'rule file, or the name of a shipped one')
      .option('--json', 'print one JSON document')
      .addHelpText('before', testExamples)
      .action(async (file: string, options: { json?: boolean }) => (await import('./test/action.ts')).testRules(file, options)),
  );
  rules.addCommand(
    new Command('explain')
      .description('Says which rule decides a step, and of every other rule why it does not match.')
      .argument('<file>', 'rule file, or the name of a shipped one')
      .requiredOption('--request <file>', 'JSON or YAML file with the request')
      .requiredOption('--target <service>', 'service that is to get the data')
      .option('--topology <file>', 'topology that says where the service stands and what its tags are')
      .option('--visited <services>', 'services that have had the data, comma-separated, in order')
      .option('--json', 'print one JSON document')
      .addHelpText('before', explainExamples)
      .action(async (file: string, options) => (await import('./explain/action.ts')).explainRules(file, options)),
  );
  return rules;
}
