/** `confirm`: premises and thresholds of a decision, as the exit code of a CI step. */
import { type Command, Option } from 'commander';
import { durationUs } from '../../option-values.ts';
import { addEngineOptions, type EngineFlags } from '../../runner-option.ts';
import { addCalibrationOptions, type CalibrationFlags } from '../../simulation-options.ts';
import { addVerdictOptions, type VerdictOptionFlags } from '../../verdict/verdict-options.ts';

const examples = `Examples:
  topo-bench confirm record.confirm.yaml --premises-only --metrics now.yaml   rate, N, rules and link delays
  topo-bench confirm record.confirm.yaml --max-time 5m --junit confirm.xml    and both options measured again
  topo-bench confirm record.confirm.yaml --run runs/nightly                   on a run that has both options
  topo-bench confirm record.confirm.yaml --calibration machine.json           both options simulated
`;

export interface ConfirmFlags extends EngineFlags, CalibrationFlags, VerdictOptionFlags {
  metrics?: string;
  premisesOnly?: boolean;
  run?: string;
  maxTime: number;
  out?: string;
}

export function options(command: Command): void {
  command
    .description(
      'Checks whether premises and thresholds of a decision still hold. Both options are measured in turns, unless a ' +
        'premise fails first. Exit codes: 0 they hold, 1 one does not, 5 cannot tell.',
    )
    .argument('<file>', 'confirmation that `topo-bench decide` wrote')
    .option('--metrics <file>', 'observed values of premises: YAML, JSON or Prometheus text, e.g. `rate: 120`')
    .option('--premises-only', 'measure nothing: each premise must then be observed')
    .option('--run <folder>', 'judge the thresholds on this run instead of measuring')
    .addOption(
      new Option('--max-time <duration>', 'start no pair of repetitions that would end after it')
        .argParser(durationUs)
        .default(15 * 60e6, '15m'),
    )
    .option('--out <folder>', 'folder for both runs (default: runs/<name>-gate-<time>)')
    .addHelpText('before', examples);
  addVerdictOptions(command);
  addCalibrationOptions(command, 'simulate both options instead of measuring them');
  addEngineOptions(command);
}
