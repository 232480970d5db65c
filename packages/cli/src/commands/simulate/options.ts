/** `simulate`: `run` on a calendar, by a calibration. */
import type { Command } from 'commander';
import { durationUs, shareOf } from '../../option-values.ts';
import type { SimulationFlags } from '../../simulating.ts';
import { addCalibrationOptions, addSimulationChoices, type SimulationChoiceFlags } from '../../simulation-options.ts';
import { type BreakEvenRange, breakEvenRange } from './break-even-range.ts';

const examples = `Examples:
  topo-bench simulate quickstart                                        after \`topo-bench calibrate\`
  topo-bench simulate quickstart --calibration assumed-two-cores        a shipped experiment, in seconds
  topo-bench simulate my.yaml --calibration machine.json --only architecture=none,sidecar
  topo-bench simulate my.yaml --calibration machine.json --set services=200 --set rate=500
  topo-bench simulate routing-study --calibration machine.json --cluster study-2019 --published

Questions:
  topo-bench simulate my.yaml --calibration machine.json --find-max 'p95<50ms'         the rate that each architecture bears
  topo-bench simulate my.yaml --calibration machine.json --break-even rate=20..400     where one overtakes another
  topo-bench simulate my.yaml --calibration machine.json --break-even delay=0ms..40ms
  topo-bench simulate my.yaml --calibration machine.json --sensitivity                 which assumption moves the answer most
`;

export interface SimulateFlags extends SimulationChoiceFlags, SimulationFlags {
  published?: string | true;
  out?: string;
  quiet?: boolean;
  json?: boolean;
  findMax?: string;
  maxTime?: number;
  breakEven?: BreakEvenRange;
  sensitivity?: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Predicts an experiment instead of measuring it: the same files, the same requests and decisions, and a run ' +
        'folder whose cells are marked as simulated. Times follow from a calibration of a machine.',
    )
    .argument('<experiment>', 'experiment file, or the name of a shipped one')
    .option(
      '--cluster <file>',
      'machines that one does not have: hosts with cores and nodes, as YAML, or the name of a shipped one',
    )
    .option(
      '--precision <share>',
      'replications of a cell end when the 95% interval of its median RTT is that narrow, ± (default: 2%), or after 30',
      shareOf(0.5),
    )
    .option('--published [csv]', 'also show published medians; without a file, those that the experiment names')
    .option('--out <folder>', 'run folder (default: runs/<name>-<time>)')
    .option(
      '--find-max <condition>',
      "search the max rate that meets a condition such as 'p95<50ms', per architecture, from the lowest rate up",
    )
    .option('--max-time <time>', 'with --find-max: limit on searching and confirming (default: 10m)', durationUs)
    .option(
      '--break-even <factor=from..to>',
      'simulate seven levels of a factor, and find where one architecture overtakes another',
      breakEvenRange,
    )
    .option('--sensitivity', 'rank the assumptions by how far a change of 25% moves the difference of architectures')
    .option('--quiet', 'print no progress: only notes, warnings and the result')
    .option('--json', 'print one JSON document: { runDir, cells }')
    .addHelpText('before', examples);
  addSimulationChoices(command);
  addCalibrationOptions(
    command,
    'what is known of the machine, as JSON or YAML, or the name of a shipped one (default: the newest one of this ' +
      'machine, of `topo-bench calibrate`)',
  );
}
