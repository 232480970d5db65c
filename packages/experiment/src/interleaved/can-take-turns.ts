/** Checks whether cells can take turns under load: their requests must be scheduled and must not change state. */
import type { ExperimentCell } from '@topo-bench/trial';

export interface Obstacle {
  /** Continues a sentence after the subject: `side by side …`. */
  message: string;
  hint: string;
}

/** @returns why a cell cannot take turns with others; undefined when it can */
export function obstacleToTurns({ study, settings: { load, events }, graph }: ExperimentCell): Obstacle | undefined {
  const keeper = graph.services.find((service) => service.persistence)?.name;
  if (keeper !== undefined) {
    return {
      message: `cannot measure services that keep items, as ${keeper} does`,
      hint: 'measure one after the other',
    };
  }
  if (load.driver !== 'open') {
    return {
      message: `needs scheduled arrivals, and load.driver is ${load.driver}`,
      hint: 'set load.driver to open, with a rate',
    };
  }
  if (events.length > 0) {
    return { message: 'cannot measure under events', hint: 'measure one after the other, or leave `events` out' };
  }
  if (study.takesTurns) return undefined;
  return { message: `cannot measure a study of the kind ${study.kind}`, hint: 'measure one after the other' };
}
