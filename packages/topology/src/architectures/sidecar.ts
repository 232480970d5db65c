import { servicesInOrder } from '../flow-order.ts';
import { type EnforcementArchitecture, pointName } from './architecture.ts';

export const sidecar: EnforcementArchitecture = {
  points: (graph) =>
    servicesInOrder(graph).map((index) => {
      const { name, node } = graph.services[index]!;
      return { name: pointName('sidecar', name), node, services: [index] };
    }),
};
