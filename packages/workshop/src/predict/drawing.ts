/** The drawing of a graph, and what the panels of the page show of it. */
import type { Drawing as CoreDrawing, DrawnService } from '@topo-bench/core/drawing';
import type { DeploymentPlan } from '@topo-bench/deployment/deployment-plan';
import { drawingOf as coreDrawingOf } from '@topo-bench/deployment/drawing';
import type { Graph } from '@topo-bench/topology/graph';
import type { Settings } from './settings.ts';

export type { DrawnService };

export interface Drawing extends CoreDrawing {
  /** Values of the sliders in the file; absent where it has none. */
  values: Partial<Omit<Settings, 'machines'>>;
  /** For requests to explain. */
  requests: { class: string; origin: string; purpose: string; consents: string[]; fields: Record<string, string> }[];
}

export function drawingOf(graph: Graph, plan: DeploymentPlan): Drawing {
  return {
    ...coreDrawingOf(graph, plan),
    values: valuesIn(graph),
    requests: graph.requestClasses.map(({ name, origin, purpose, consents, payload }) => ({
      ...{ class: name, purpose },
      origin: typeof origin === 'string' ? origin : (Object.keys(origin)[0] ?? ''),
      consents: Array.isArray(consents) ? consents : Object.keys(consents),
      fields: Object.fromEntries(Object.entries(payload).map(([field, { category }]) => [field, category])),
    })),
  };
}

function valuesIn({ source: { topology }, services, enforcement, requestClasses }: Graph): Drawing['values'] {
  const { links, defaults } = topology;
  const [field] = requestClasses.flatMap(({ payload }) => Object.values(payload));
  return {
    ...{ services: services.filter(({ alternative }) => !alternative).length, routers: enforcement.routers },
    ...{ workUs: defaults.work.meanUs, rulesPerService: defaults.rules?.generate ?? 0 },
    ...(links[0] && { delayMs: links[0].delay / 1e3 }),
    ...(field && { payloadBytes: field.size }),
  };
}
