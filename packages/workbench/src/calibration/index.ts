/** Calibrations of this machine: measured by a design of its own, and fitted to runs. */
export { maxForeignPercent, withUncertainty } from '@topo-bench/routing/calibration';
export { calibrateRuns } from './calibrate-runs.ts';
export { measureDesign } from './measure-design.ts';
export { quietMachine } from './quiet-machine.ts';
