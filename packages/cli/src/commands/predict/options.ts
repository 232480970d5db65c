/** `predict`: predictions that are written down before the measurement. */
import type { Command } from 'commander';
import type { CalibrationFlags } from '../../calibration-files.ts';
import type { ChoiceFlags } from '../../choices.ts';
import { collectAssignments, wholeNumber } from '../../option-values.ts';

const examples = `Examples:
  topo-bench predict my.yaml --register predictions.json    first,
  topo-bench run my.yaml --out runs/my                      then the measurement,
  topo-bench judge predictions.json runs/my                 and how far both differ
`;

export interface PredictFlags extends Pick<ChoiceFlags, 'only' | 'set' | 'repetitions' | 'seed'>, CalibrationFlags {
  register: string;
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
    .option('--calibration <file>', 'as in `simulate` (default: the newest one of this machine)')
    .option('--foreign-calibration', 'accept a calibration of another CPU model or major version of Node.js')
    .option(
      '--only <factor=levels>',
      'keep only these levels of a factor, comma-separated; may be repeated',
      collectAssignments,
    )
    .option('--set <path=value>', 'another value for a field or factor; may be repeated', collectAssignments)
    .option('--repetitions <number>', 'repetitions of every cell', wholeNumber(1))
    .option('--seed <number>', 'seed of order, arrivals, requests, service times and noise', wholeNumber(0))
    .option('--quiet', 'print no progress: only notes, warnings and the result')
    .option('--json', 'print the registered document')
    .addHelpText('before', examples);
}
