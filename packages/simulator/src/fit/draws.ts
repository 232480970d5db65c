/** Demand models that the measurements allow as well: parameters drawn from their covariance. */
import { normalQuantile, type RandomStream } from '@topo-bench/core';
import type { CalibrationFit, DemandModel } from '@topo-bench/core/schema/calibration';
import { cholesky } from './linear-algebra.ts';
import {
  fittedParameters,
  fromScale,
  type ModelParameter,
  otherParameters,
  parameterValue,
  toScale,
  withValues,
} from './model-parameters.ts';

/** No draw is further from the model. Extremes of laws that are only about normal say nothing. */
const maxSds = 2.5;

/** @param random draws one model */
export function drawnModel(
  model: DemandModel,
  { parameters, covariance }: Pick<CalibrationFit, 'parameters' | 'covariance'>,
  random: RandomStream,
): DemandModel {
  const factor = cholesky(covariance);
  const normal = parameters.map(() => {
    return Math.max(-maxSds, Math.min(maxSds, normalQuantile((Math.floor(random.uniform() * 4096) + 0.5) / 4096)));
  });
  const values = parameters.flatMap(({ name }, i) => {
    const parameter = known.get(name);
    const value = parameterValue(model, name);
    // A part that the model does not have stays away.
    if (!parameter || value === 0) return [];
    const moved = (factor[i] as number[]).reduce((sum, share, j) => sum + share * (normal[j] as number), 0);
    return [[name, fromScale(parameter, toScale(parameter, value) + moved)]];
  });
  return withValues(model, Object.fromEntries(values));
}

const known = new Map<string, ModelParameter>(
  [...fittedParameters('json-rules-engine'), ...fittedParameters('compiled'), ...otherParameters].map((one) => [
    one.name,
    one,
  ]),
);
