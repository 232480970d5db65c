/** The parameters of a demand model as a vector of logarithms (of probabilities: logits), in a fixed order. */
import type { DemandModel } from '@topo-bench/core/schema/calibration';

export interface ModelParameter {
  /** Path in the model. */
  name: string;
  scale: 'log' | 'logit';
  /** Standard deviation of what is known of it without a measurement, on its scale. */
  priorSd: number;
}

const operations = ['accept', 'respond', 'receive', 'acknowledge', 'send', 'read', 'answer'] as const;
const log = (name: string, priorSd: number): ModelParameter => ({ name, scale: 'log', priorSd });
const logit = (name: string): ModelParameter => ({ name, scale: 'logit', priorSd: 1 });

/** Names of the operations of roles. */
export const roleOperations: readonly string[] = operations;

/** Those that follow from the figures of cells. @param engine rule engine of the cells */
export function fittedParameters(engine: keyof DemandModel['decide']): ModelParameter[] {
  return [
    ...operations.map((name) => log(`operations.${name}.us`, 0.6)),
    log(`decide.${engine}.us`, 0.6),
    log('wake.us', 0.6),
    log('wake.idleCoreUs', 1.2),
    log('wake.sleepUs', 1.2),
    log('noise.sigma', 0.4),
    log('cold.factor', 0.6),
    log('cold.overUs', 0.6),
    log('cold.overWorkUs', 1),
    log('warmth.factor', 0.8),
    log('latencyUs', 1),
    logit('scheduling.stay'),
    logit('scheduling.pull'),
  ];
}

/** Those that no cell of the design distinguishes, or that records of processes state. */
export const otherParameters: readonly ModelParameter[] = [
  log('pauses.collections.probability', 0.3),
  log('pauses.collections.meanUs', 0.3),
  log('pauses.stops.probability', 1),
  log('pauses.stops.meanUs', 0.5),
  log('helpers.share', 0.3),
  log('helpers.meanUs', 0.5),
  log('operations.post.us', 0.2),
  log('operations.collect.us', 0.2),
  log('warmth.requests', 0.5),
  log('scheduling.sliceUs', 0.3),
  log('timerLateUs', 0.5),
  ...[...operations, 'post'].map((name) => log(`operations.${name}.perKilobyteUs`, 0.7)),
  log('decide.compiled.perRuleUs', 0.5),
  log('decide.json-rules-engine.us', 0.5),
  log('decide.json-rules-engine.perRuleUs', 0.5),
];

export function parameterValue(model: DemandModel, name: string): number {
  return name.split('.').reduce((part: unknown, key) => (part as Record<string, unknown>)[key], model) as number;
}

export function withValues(model: DemandModel, values: Readonly<Record<string, number>>): DemandModel {
  const copy = structuredClone(model);
  for (const [name, value] of Object.entries(values)) {
    const keys = name.split('.');
    const last = keys.pop() as string;
    const part = keys.reduce(
      (at, key) => at[key] as Record<string, unknown>,
      copy as unknown as Record<string, unknown>,
    );
    part[last] = value;
  }
  return copy;
}

/** The smallest distance of a probability from 0 and 1, and the smallest value whose logarithm is taken. */
const edge = 0.005;
const smallest = 1e-6;

export function toScale({ scale }: ModelParameter, value: number): number {
  if (scale === 'log') return Math.log(Math.max(smallest, value));
  const p = Math.min(1 - edge, Math.max(edge, value));
  return Math.log(p / (1 - p));
}

export function fromScale({ scale, name }: ModelParameter, scaled: number): number {
  if (scale === 'logit') return 1 / (1 + Math.exp(-scaled));
  const value = Math.exp(scaled);
  return name.endsWith('.probability') ? Math.min(1, value) : value;
}

/** The model whose parameters have these scaled values. */
export function modelAt(
  model: DemandModel,
  parameters: readonly ModelParameter[],
  scaled: readonly number[],
): DemandModel {
  const values = parameters.map((parameter, i) => [parameter.name, fromScale(parameter, scaled[i] as number)]);
  return withValues(model, Object.fromEntries(values));
}
