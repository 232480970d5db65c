/** `judge`: registered predictions against a run. */
import type { Command } from 'commander';

const examples = `Examples:
  topo-bench judge predictions.json runs/my           errors next to the repeatability floor of the same cells
  topo-bench judge predictions.json runs/my --json    the same as one JSON document
`;

export interface JudgeFlags {
  keepDisturbed?: boolean;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Compares registered predictions with a run that began later: per cell predicted, measured, error and ' +
        'interval; in all the error over the spread of repetitions, and three simple rules on the same cells. ' +
        'Exit code 2 for a run of other inputs or an earlier one, 5 when no repetition can be judged.',
    )
    .argument('<predictions>', 'file of `topo-bench predict`')
    .argument('<run>', 'run folder of the same experiment')
    .option('--keep-disturbed', 'judge repetitions during which other programs used more than 10% of the processors')
    .option('--json', 'print one JSON document: { judgement, predictions }')
    .addHelpText('before', examples);
}
