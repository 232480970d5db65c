/** `predict`: predictions that are written down before the measurement. */
import type { Command } from 'commander';
import {
  addCalibrationOptions,
  addSimulationChoices,
  type CalibrationFlags,
  type SimulationChoiceFlags,
} from '../../simulation-options.ts';

const examples = `Examples:
  topo-bench predict my.yaml --register predictions.json    first,
  topo-bench run my.yaml --out runs/my                      then the measurement,
  topo-bench judge predictions.json runs/my                 and how far both differ
`;

export interface PredictFlags extends SimulationChoiceFlags, CalibrationFlags {
  register: string;
  cluster?: string;
  quiet?: boolean;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Simulates an experiment and registers what it predicts: with the digests of the calibration, of the ' +
        'experiment and of the file itself. `judge` compares it with a run that began later.',
    )
    .argument('<experiment>', 'experiment file, or the name of a shipped one')
    .requiredOption('--register <file>', 'new file for the predictions')
    .option('--cluster <file>', 'machines in place of the calibrated one, as in `simulate`')
    .option('--quiet', 'print no progress: only notes, warnings and the result')
    .option('--json', 'print the registered document')
    .addHelpText('before', examples);
  addSimulationChoices(command);
  addCalibrationOptions(command, 'as in `simulate` (default: the newest one of this machine)');
}
