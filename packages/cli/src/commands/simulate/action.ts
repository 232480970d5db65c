/** Reads the calibration, and runs the experiment on the backend that simulates. */
import { simulatedBackendOf } from '../../simulating.ts';
import { runOn } from '../run/action.ts';
import type { SimulateFlags } from './options.ts';

export async function action(experiment: string, { calibration, ...flags }: SimulateFlags): Promise<void> {
  await runOn(await simulatedBackendOf(calibration), experiment, flags);
}
