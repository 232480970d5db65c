/** `decide`: a decision record from finished runs, and the file that confirms it. */
import type { Price } from '@topo-bench/report';
import type { Command } from 'commander';
import { collect, pricePerCoreHour } from '../../option-values.ts';
import { addCalibrationOptions, type CalibrationFlags } from '../../simulation-options.ts';

const examples = `Examples:
  topo-bench decide runs/a --adr docs/decisions/0007-enforcement.md
  topo-bench decide runs/a runs/b --adr record.md --option sidecar --price-per-core-hour 0.04EUR
  topo-bench decide runs/a --adr record.md --threshold 'rtt.p95 < 20ms' --force
`;

export interface DecideFlags extends CalibrationFlags {
  adr: string;
  option?: string;
  title?: string;
  threshold?: string[];
  pricePerCoreHour?: Price;
  mixSources?: boolean;
  force?: boolean;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Writes a decision record (MADR 4) from the figures of runs, and next to it a file whose premises and thresholds ' +
        '`topo-bench confirm` checks. Exit code 5 when no option is shown to be best and none is chosen.',
    )
    .argument('<run...>', 'run folders')
    .requiredOption('--adr <file>', 'record to write; its confirmation gets the same name with .confirm.yaml')
    .option('--option <name>', 'option to choose (default: the one that the runs show to be best)')
    .option('--title <text>', 'title of the record')
    .option('--threshold <text>', 'threshold of the confirmation, as of a gate; may be repeated', collect)
    .option('--price-per-core-hour <price>', 'price of processor time, for the cost per month', pricePerCoreHour)
    .option('--mix-sources', 'accept measured and simulated runs in one record')
    .option('--force', 'replace a record and a confirmation that exist')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples);
  addCalibrationOptions(command, 'add the sensitivity by simulation');
}
