/** `up`: a topology as running processes, until it is interrupted or `down` stops it. */
import { runnerNames } from '@topo-bench/core';
import type { Command } from 'commander';
import { collectAssignments, wholeNumber } from '../../option-values.ts';
import { addRunnerOptions, type RunnerFlags } from '../../runner-option.ts';
import { type ServerUrlFlags, serverUrlOptions } from '../../server-urls.ts';

const examples = `Examples:
  topo-bench up topologies/gdpr-mail-order.yaml                prints the gateway's URL and a curl line that works
  topo-bench up quickstart --set architecture=sidecar --port 8080
  topo-bench up my-topology.yaml --watch-rules                 edit the rules while it runs
  topo-bench up quickstart --json &                            one line of JSON when everything is ready
  topo-bench down quickstart                                   stops it
`;

export interface UpFlags extends ServerUrlFlags, RunnerFlags {
  set?: [path: string, value: string][];
  port?: number;
  logs?: string;
  json?: boolean;
  watchRules?: boolean;
}

export function options(command: Command): void {
  command
    .description('Keeps a topology running and prints the URL of its gateway. Ctrl-C or `topo-bench down` stops it.')
    .argument('<topology>', 'topology file, or the name of a shipped one')
    .option(
      '--set <path=value>',
      'another value for a field, or architecture, services, engine, style; may be repeated',
      collectAssignments,
    )
    .option('--port <number>', 'port of the gateway (default: a free one)', wholeNumber(0, 65_535))
    .option('--logs <folder>', 'where the logs of the services go (default: a temporary folder)')
    .option('--watch-rules', 'when the rule file changes, give the new rules to the running enforcement points')
    .option('--json', 'print one line of JSON when everything is ready')
    .addHelpText('before', examples);
  addRunnerOptions(command, runnerNames[0]);
  for (const option of serverUrlOptions()) command.addOption(option);
}
