/** The state of a predicted cell: whether its times have a meaning, and a sentence on it. */
import type { Prediction } from './schema/result.ts';

/** Whether times do not depend on the length of the load. A measured cell has no prediction, and counts as steady. */
export function isSteady({ prediction }: { prediction?: Pick<Prediction, 'state'> | undefined }): boolean {
  return prediction === undefined || prediction.state === 'stable';
}

/** For `stable` too, which names the bottleneck and the reserve. */
export function predictionSentence(prediction: Prediction): string {
  return `${stateText(prediction)}; ${Number(prediction.maxRps.toPrecision(3))} req/s at most`;
}

/** After "the cell is": `unstable: the process gateway needs 1.2 times the processor time that it has`. */
export function stateText({ state, bottleneck }: Pick<Prediction, 'state' | 'bottleneck'>): string {
  const { kind, name, busyShare } = bottleneck;
  const station = kind === 'process' ? `the process ${name}` : `the host ${name}`;
  switch (state) {
    case 'stable':
      return `stable: ${station} is the bottleneck, ${percent(busyShare)} busy`;
    case 'near-capacity':
      return `near capacity: ${station} is ${percent(busyShare)} busy, so quantiles depend on chance and none is stated`;
    case 'unstable':
      return `unstable: ${station} needs ${times(busyShare)} the processor time that it has`;
  }
}

function times(share: number): string {
  const rounded = Number(share.toPrecision(3));
  return rounded > 1 ? `${rounded} times` : 'all of';
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`;
}
