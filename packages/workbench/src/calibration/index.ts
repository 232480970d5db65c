/** Calibrations of this machine: measured by a design of its own, and fitted to runs. */
export { maxForeignPercent, withUncertainty } from '@topo-bench/routing/calibration';
export { calibrateMachine, calibrateWith, cellText, disturbedError } from './calibrate-machine.ts';
export { calibrateRuns } from './calibrate-runs.ts';
