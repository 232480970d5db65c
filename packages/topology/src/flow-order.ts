/** Reading a flow program in the order of the file. */
import type { FlowProgram } from './graph.ts';

/** Services of the flow, each once, in file order (instructions are in that order). */
export function flowServices({ instructions }: FlowProgram): number[] {
  return instructions.flatMap((instruction) => (instruction.kind === 'step' ? [instruction.service] : []));
}
