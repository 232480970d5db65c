/** `run`: an experiment from its file to the report. */
import type { Command } from 'commander';
import type { ChoiceFlags } from '../../choices.ts';
import { collectAssignments, durationUs, wholeNumber } from '../../option-values.ts';
import { addRunnerOptions, type EngineFlags } from '../../runner-option.ts';
import { type ServerUrlFlags, serverUrlOptions } from '../../server-urls.ts';
import { studyExamples, studyOptions, studyServers } from '../../study-flags.ts';

const exampleLine = ([command, effect]: readonly [string, string]): string =>
  `${`  topo-bench run ${command}`.padEnd(effect ? 60 : 0)}${effect}\n`;

const examples = `Examples:
  topo-bench run quickstart                                 a shipped experiment, on this machine
  topo-bench run rate-knee                                  at what rate a central entity is the bottleneck
  topo-bench run rate-knee --find-max 'p95<50ms'            the rate that each architecture sustains
  topo-bench run experiments/routing-study.yaml --dry-run   its cells, with the time and memory they need
  topo-bench run my.yaml --only architecture=none,sidecar   some levels of a factor
  topo-bench run my.yaml --set rate=200 --set duration=5s   another value for a field
  topo-bench run persistence-small --postgres-url postgresql://ann:secret@db:5432/   stores on your own server
${studyExamples().map(exampleLine).join('')}  topo-bench run --resume runs/my-2025-01-31T09-30-00       continue a run that was cut off
  topo-bench run --resume runs/my-2025-01-31T09-30-00 --repetitions 20    add repetitions to a run, up to 20
`;

export interface RunFlags extends ServerUrlFlags, ChoiceFlags, EngineFlags {
  dryRun?: boolean;
  probe?: boolean;
  out?: string;
  resume?: string;
  allowOtherServers?: boolean;
  findMax?: string;
  maxTime?: number;
  published?: string | true;
  quiet?: boolean;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Runs an experiment: deploys, warms up, measures and reports every cell. ' +
        'Exit code 5 when a cell has no valid repetition.',
    )
    .argument('[experiment]', 'experiment file, or the name of a shipped one')
    .option('--dry-run', 'print the cells with their estimated time, memory and load of this machine; run none of them')
    .option('--no-probe', 'with --dry-run: skip the five-second probe behind the estimate of the load')
    .option('--out <folder>', 'run folder (default: runs/<name>-<time>)')
    .option('--resume <folder>', 'continue the run in this folder, with the experiment recorded there')
    .option('--allow-other-servers', 'let --resume use database servers other than before')
    .option(
      '--only <factor=levels>',
      'keep only these levels of a factor, comma-separated; may be repeated',
      collectAssignments,
    )
    .option('--set <path=value>', 'another value for a field or factor; may be repeated', collectAssignments)
    .option(
      '--find-max <condition>',
      "search the max rate that meets a condition such as 'p95<50ms', per architecture, from the lowest rate up",
    )
    .option('--max-time <time>', 'with --find-max: limit on searching and confirming (default: 10m)', durationUs)
    .option(
      '--repetitions <number>',
      'repetitions of every cell; with --resume, how many the run has in the end',
      wholeNumber(1),
    )
    .option('--seed <number>', 'seed of order, arrivals, requests and service times', wholeNumber(0))
    .option('--keep-requests', 'write every generated request to requests.ndjson')
    .option('--trace-hops <share>', 'trace the hops of this share of the requests, e.g. 1%')
    .option('--published [csv]', 'also show published medians; without a file, those that the experiment names')
    .option('--quiet', 'print no progress: only notes, warnings and the result')
    .option('--json', 'print one JSON document: { runDir, cells }')
    .addHelpText('before', examples);
  addRunnerOptions(command, 'that of the experiment file');
  for (const option of [...studyOptions(), ...serverUrlOptions(), ...studyServers()]) command.addOption(option);
}
