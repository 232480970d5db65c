/** `run`: an experiment from its file to the report. */
import type { Command } from 'commander';
import type { ChoiceFlags } from '../../choices.ts';
import { collectAssignments, wholeNumber } from '../../option-values.ts';
import { runnerOption } from '../../runner-option.ts';
import { type ServerUrlFlags, serverUrlOptions } from '../../server-urls.ts';

const examples = `Examples:
  topo-bench run quickstart                                 a shipped experiment, on this machine
  topo-bench run experiments/routing-study.yaml --dry-run   its cells, with the time and memory they need
  topo-bench run my.yaml --only architecture=none,sidecar   some levels of a factor
  topo-bench run my.yaml --set rate=200 --set duration=5s   another value for a field
  topo-bench run persistence-small --postgres-url postgresql://ann:secret@db:5432/   stores on your own server
  topo-bench run --resume runs/my-2025-01-31T09-30-00       continue a run that was cut off
`;

export interface RunFlags extends ServerUrlFlags, ChoiceFlags {
  dryRun?: boolean;
  out?: string;
  resume?: string;
  allowOtherServers?: boolean;
  published?: string | true;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Runs an experiment: deploys, warms up, measures and reports every cell. ' +
        'Exit code 5 when a cell has no valid repetition.',
    )
    .argument('[experiment]', 'experiment file, or the name of a shipped one')
    .option('--dry-run', 'print the cells with the estimated time and memory, and run nothing')
    .option('--out <folder>', 'run folder (default: runs/<name>-<time>)')
    .option('--resume <folder>', 'continue the run in this folder, with the experiment recorded there')
    .option('--allow-other-servers', 'let --resume use database servers other than before')
    .option(
      '--only <factor=levels>',
      'keep only these levels of a factor, comma-separated; may be repeated',
      collectAssignments,
    )
    .option('--set <path=value>', 'another value for a field or factor; may be repeated', collectAssignments)
    .addOption(runnerOption('that of the experiment file'))
    .option('--repetitions <number>', 'repetitions of every cell', wholeNumber(1))
    .option('--seed <number>', 'seed of order, arrivals, requests and service times', wholeNumber(0))
    .option('--keep-requests', 'write every generated request to requests.ndjson')
    .option('--trace-hops <share>', 'trace the hops of this share of the requests, e.g. 1%')
    .option('--published [csv]', 'also show published medians; without a file, those that the experiment names')
    .option('--json', 'print one JSON document: { runDir, cells }')
    .addHelpText('before', examples);
  for (const option of serverUrlOptions()) command.addOption(option);
}
