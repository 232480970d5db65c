/** `calibrate`: what a simulation must know of this machine. */
import type { Command } from 'commander';
import { collectAssignments } from '../../option-values.ts';

const examples = `Examples:
  topo-bench calibrate                                    measures this machine, in about 12 minutes
  topo-bench calibrate --quick --out machine.json         in about 3 minutes, with wider errors
  topo-bench calibrate --resume runs/calibration-2025-01-31T09-30-00    continues one that was cut off
  topo-bench calibrate runs/a runs/b --held-out rate=200  fits runs, and checks the fit on cells of one rate
`;

export interface CalibrateFlags {
  out?: string;
  quick?: boolean;
  resume?: string;
  heldOut?: [factor: string, levels: string][];
  keepDisturbed?: boolean;
  quiet?: boolean;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Fits the model of simulations to this machine: to a small experiment that it measures, or to runs. ' +
        'Exit code 5 when other programs disturbed the measurement.',
    )
    .argument('[runs...]', 'run folders to fit (default: a design of its own is measured)')
    .option('--out <file>', 'calibration file (default: <name>.json where `simulate` finds it)')
    .option('--quick', 'fewer and shorter cells, and wider errors')
    .option('--resume <folder>', 'continue the calibration whose runs are in this folder')
    .option(
      '--held-out <factor=levels>',
      'with runs: cells to check the fit on instead of fitting them; may be repeated',
      collectAssignments,
    )
    .option('--keep-disturbed', 'write a calibration that other programs disturbed: it is marked wherever it is used')
    .option('--quiet', 'print no progress: only notes, warnings and the result')
    .option('--json', 'print one JSON document: { file, calibration }')
    .addHelpText('before', examples);
}
