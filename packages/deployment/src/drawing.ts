/**
 * The drawing of a graph as data: lanes are nodes, rows are steps of the flow, and members of a parallel group share a
 * row. The hops of a request are those that the planner counts.
 */
import type { Drawing } from '@topo-bench/core/drawing';
import { flowEnd, type Graph } from '@topo-bench/topology/graph';
import type { DeploymentPlan } from './deployment-plan.ts';
import { walkFlow } from './walk-flow.ts';

export function drawingOf(graph: Graph, plan: DeploymentPlan): Drawing {
  const hops: Drawing['hops'] = [];
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
