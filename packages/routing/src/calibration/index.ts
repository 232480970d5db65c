/** Calibrations of the model of the routing study: fitted to measured cells, and applied to predictions. */
export { fitCalibration, type Measured, maxForeignPercent } from './fit-calibration.ts';
export { measuredCell, usableEntries } from './measured-cell.ts';
export { withUncertainty } from './uncertain-backend.ts';
export { unknownPart } from './unknown-part.ts';
