import { assignRouters } from '../assign-routers.ts';
import { type EnforcementArchitecture, pointName } from './architecture.ts';

export const dynamicRouter: EnforcementArchitecture = {
  points: (graph) =>
    assignRouters(graph, graph.enforcement.routers).map((share, i) => ({
      name: pointName('dynamic-router', i + 1),
      ...share,
    })),
  takenOverBy: (index, points) => (index + 1) % points,
};
