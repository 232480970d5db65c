/** Fits of demand models to measured cells, and what remains uncertain. */
export {
  type FitCell,
  figuresOf,
  figuresUnder,
  loadOnCell,
  type ModelledCell,
  replicationUnder,
} from './cell-figures.ts';
export { type RelativeUncertainty, relativeUncertainty, uncertaintyAround } from './cell-uncertainty.ts';
export { drawnModel } from './draws.ts';
export { type FittedDemand, fitDemand } from './fit-demand.ts';
export { otherParameters, parameterValue, withValues } from './model-parameters.ts';
