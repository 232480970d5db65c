/** States of flows for tests. */
import { type FlowState, initialState } from '../src/index.ts';

const role = {
  name: 'gateway',
  node: 0,
  graph: { nodes: [], services: [], flow: { start: 0, instructions: [] }, links: [], ruleIds: [] },
};

export function stateOf(parts: Partial<FlowState>): FlowState {
  return { ...initialState(role, 'x'), ...parts };
}
