import { servicesInOrder } from '../flow-order.ts';
import { type EnforcementArchitecture, pointName } from './architecture.ts';

const name = pointName('central-entity');

export const centralEntity: EnforcementArchitecture = {
  points: (graph) => [{ name, node: graph.gateways[0].node, services: servicesInOrder(graph) }],
  wholeFlowsTo: name,
  takenOverBy: (index) => index,
};
