/** Options of verbs that simulate. Light: `--help` loads them. */
import type { Command } from 'commander';
import type { ChoiceFlags } from './choices.ts';
import { collectAssignments, wholeNumber } from './option-values.ts';

export interface CalibrationFlags {
  calibration?: string | undefined;
  foreignCalibration?: boolean | undefined;
}

export type SimulationChoiceFlags = Pick<ChoiceFlags, 'only' | 'set' | 'repetitions' | 'seed'>;

export function addCalibrationOptions(command: Command, text: string): void {
  command
    .option('--calibration <file>', text)
    .option('--foreign-calibration', 'accept a calibration of another CPU model or major version of Node.js');
}

/** The choices of an experiment that change a simulation of it. */
export function addSimulationChoices(command: Command): void {
  command
    .option(
      '--only <factor=levels>',
      'keep only these levels of a factor, comma-separated; may be repeated',
      collectAssignments,
    )
    .option('--set <path=value>', 'another value for a field or factor; may be repeated', collectAssignments)
    .option('--repetitions <number>', 'repetitions of every cell', wholeNumber(1))
    .option('--seed <number>', 'seed of order, arrivals, requests, service times and noise', wholeNumber(0));
}
