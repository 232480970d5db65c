/**
 * The drawing of a graph as data: lanes are nodes, rows are steps of the flow, and members of a parallel group share a
 * row. The hops of a request are those that the planner counts.
 */
import type { DeploymentPlan } from '@topo-bench/deployment/deployment-plan';
import { type Hop, walkFlow } from '@topo-bench/deployment/walk-flow';
import { flowEnd, type Graph } from '@topo-bench/topology/graph';
import type { Settings } from './settings.ts';

export interface DrawnService {
  name: string;
  /** Index of its node. */
  node: number;
  /** Row of its step, from 0; alternatives are below the flow. */
  row: number;
  alternative: boolean;
  tags: readonly string[];
  /** Name of the role that decides for it; its own without enforcement. */
  decidedBy: string;
}

export interface DrawnRole {
  name: string;
  kind: string;
  node: number;
  /** Names of services. */
  decidesFor: readonly string[];
}

export interface Drawing {
  name: string;
  architecture: string;
  nodes: { name: string; region: string }[];
  gatewayNode: number;
  services: DrawnService[];
  rows: number;
  /** Steps that follow each other, by index of service; −1: the gateway. */
  edges: { from: number; to: number; parallel: boolean }[];
  /** Gateway and enforcement points. */
  roles: DrawnRole[];
  /** Messages of a request that every rule allows, in order; branches one after the other. */
  hops: Hop[];
  links: { from: number; to: number; delayUs: number }[];
  /** Values of the sliders in the file; absent where it has none. */
  values: Partial<Omit<Settings, 'machines'>>;
  /** For requests to explain. */
  requests: { class: string; origin: string; purpose: string; consents: string[]; fields: Record<string, string> }[];
}

export function drawingOf(graph: Graph, plan: DeploymentPlan): Drawing {
  const hops: Hop[] = [];
  walkFlow(graph, plan.executorOf, { hop: (hop) => hops.push(hop) });
  const { rows, edges, flowRows } = layersOf(graph);
  let below = flowRows;
  const services = graph.services.map(({ name, node, alternative, tags, index }) => ({
    ...{ name, node, alternative, tags },
    row: rows[index] ?? below++,
    decidedBy: plan.executorOf[index] as string,
  }));
  return {
    ...{ name: graph.name, architecture: graph.enforcement.architecture, gatewayNode: graph.gateways[0].node },
    nodes: graph.nodes.map(({ name, region }) => ({ name, region })),
    ...{ services, edges, hops, rows: below },
    roles: plan.roles
      .filter(({ kind }) => kind !== 'service')
      .map(({ name, kind, node, responsibleFor }) => ({
        ...{ name, kind, node },
        decidesFor: responsibleFor.map((index) => graph.services[index]?.name ?? ''),
      })),
    links: graph.links.flatMap((row, from) =>
      row.flatMap((link, to) => (link && from < to ? [{ from, to, delayUs: link.delayUs }] : [])),
    ),
    values: valuesIn(graph),
    requests: graph.requestClasses.map(({ name, origin, purpose, consents, payload }) => ({
      ...{ class: name, purpose },
      origin: typeof origin === 'string' ? origin : (Object.keys(origin)[0] ?? ''),
      consents: Array.isArray(consents) ? consents : Object.keys(consents),
      fields: Object.fromEntries(Object.entries(payload).map(([field, { category }]) => [field, category])),
    })),
  };
}

interface Layers {
  /** By service; undefined outside the flow. */
  rows: (number | undefined)[];
  flowRows: number;
  edges: Drawing['edges'];
}

/** Each step is a row below the one before it; the branches of a fork start in the same row. */
function layersOf({ services, flow }: Graph): Layers {
  const rows: (number | undefined)[] = services.map(() => undefined);
  const edges: Drawing['edges'] = [];
  /** @returns the last services of the part, and the first row below it */
  const follow = (start: number, before: number[], firstRow: number, parallel: boolean): [number[], number] => {
    let last = before;
    let row = firstRow;
    let isFirst = parallel;
    for (let at = start; at !== flowEnd; ) {
      const instruction = flow.instructions[at];
      if (!instruction) break;
      if (instruction.kind === 'step') {
        const { service } = instruction;
        for (const from of last) edges.push({ from, to: service, parallel: isFirst || last.length > 1 });
        rows[service] = row++;
        last = [service];
      } else {
        const branches = instruction.branches.map((branch) => follow(branch, last, row, true));
        last = branches.flatMap(([end]) => end);
        row = Math.max(row, ...branches.map(([, end]) => end));
      }
      isFirst = false;
      at = instruction.next;
    }
    return [last, row];
  };
  const [, flowRows] = follow(flow.start, [-1], 0, false);
  return { rows, edges, flowRows };
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
