/** Finds or reads the files of the simulation, and runs the experiment on the backend that simulates. */
import { simulatedBackendOf } from '../../simulating.ts';
import { runOn } from '../run/action.ts';
import type { SimulateFlags } from './options.ts';

export async function action(experiment: string, flags: SimulateFlags): Promise<void> {
  const { calibration, foreignCalibration, cluster, precision, ...others } = flags;
  await runOn(await simulatedBackendOf({ calibration, foreignCalibration, cluster, precision }), experiment, others);
}
