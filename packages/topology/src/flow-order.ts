/** Services in the order in which a request meets them. */
import type { FlowProgram, Graph } from './graph.ts';

/** Services (indexes) of the flow, each once, in file order: instructions are in that order. */
export function flowServices({ instructions }: FlowProgram): number[] {
  return instructions.flatMap((instruction) => (instruction.kind === 'step' ? [instruction.service] : []));
}

/** All services (indexes): those of the flow in its order, then the alternatives. */
export function servicesInOrder({ flow, services }: Graph): number[] {
  return [...flowServices(flow), ...services.filter(({ alternative }) => alternative).map(({ index }) => index)];
}
