/** Services in flow order. */
import type { FlowProgram, Graph } from './graph.ts';

/** Indexes of the services of the flow, each once, in file order. Instructions have the same order. */
export function flowServices({ instructions }: FlowProgram): number[] {
  return instructions.flatMap((instruction) => (instruction.kind === 'step' ? [instruction.service] : []));
}

/** Indexes of all services: first those of the flow in flow order, then the alternatives. */
export function servicesInOrder({ flow, services }: Graph): number[] {
  return [...flowServices(flow), ...services.filter(({ alternative }) => alternative).map(({ index }) => index)];
}
