/** The state of a predicted cell in a sentence. */
import type { Prediction } from './schema/result.ts';

/** For `stable` too, which names the bottleneck and the reserve. */
export function predictionSentence({ state, bottleneck, maxRps }: Prediction): string {
  const { kind, name, busyShare } = bottleneck;
  const station = kind === 'process' ? `the process ${name}` : `the host ${name}`;
  const bound = `${Number(maxRps.toPrecision(3))} req/s at most`;
  switch (state) {
    case 'stable':
      return `stable: ${station} is the bottleneck, ${percent(busyShare)} busy; ${bound}`;
    case 'near-capacity':
      return `near capacity: ${station} is ${percent(busyShare)} busy, so quantiles depend on chance and none is stated; ${bound}`;
    case 'unstable':
      return `unstable: ${station} needs ${Number(busyShare.toPrecision(3))} times the processor time that it has; ${bound}`;
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`;
}
