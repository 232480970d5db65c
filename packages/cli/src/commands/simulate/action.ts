/** Reads the files of the simulation, and runs the experiment on the backend that simulates, or answers a question. */
import { TopoBenchError } from '@topo-bench/core';
import { calibrationFor } from '../../calibration-files.ts';
import { simulatedBackendOf } from '../../simulating.ts';
import { runOn } from '../run/action.ts';
import type { SimulateFlags } from './options.ts';

export async function action(experiment: string, flags: SimulateFlags): Promise<void> {
  requireOneQuestion(flags);
  const { calibration, foreignCalibration, cluster, precision, breakEven, sensitivity, ...ofRun } = flags;
  if (sensitivity) {
    const { rankAssumptions } = await import('./rank-assumptions.ts');
    return rankAssumptions(experiment, (await calibrationFor(flags)).calibration, ofRun);
  }
  const backend = await simulatedBackendOf({ calibration, foreignCalibration, cluster, precision });
  if (!breakEven) return runOn(backend, experiment, ofRun);
  const { presentBreakEven, withLevels } = await import('./present-break-even.ts');
  const present = presentBreakEven(breakEven.factor, ofRun);
  return runOn(backend, experiment, withLevels(breakEven, ofRun), present);
}

function requireOneQuestion({ breakEven, sensitivity, findMax, cluster }: SimulateFlags): void {
  const questions = { '--break-even': breakEven, '--sensitivity': sensitivity, '--find-max': findMax };
  const names = Object.entries(questions).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length > 1) {
    const message = `${names.join(' and ')} are questions of their own: got ${names.length}, expected one`;
    throw new TopoBenchError('TB_USAGE', message, { hint: 'ask one after the other' });
  }
  if (!sensitivity || cluster === undefined) return;
  throw new TopoBenchError('TB_USAGE', '--sensitivity ranks the assumptions on the calibrated machine: got --cluster', {
    hint: 'leave --cluster out',
  });
}
