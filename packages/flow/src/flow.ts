/** A flow while it is in this process: its message, and what is derived from it once instead of at every step. */
import type { DeploymentGraph, GraphService } from '@topo-bench/core/deployment-graph';
import type { FlowFacts, RequestFacts } from '@topo-bench/core/facts';
import { copyOfDeliveries } from './deliveries.ts';
import { effectCode, type FlowMessage, type FlowState } from './messages.ts';

export class Flow {
  /** Where the data has been; kept for rules. */
  readonly visited: FlowFacts = { services: [], regions: [] };
  private unchangingText: string | undefined;

  constructor(
    readonly state: FlowState,
    readonly request: RequestFacts,
    readonly fieldCategories: Record<string, string>,
    private readonly graph: DeploymentGraph,
  ) {
    this.visitSince(0);
  }

  /** Takes in the services that got the data in the steps from that place of `state.steps` on. */
  visitSince(place: number): void {
    const { steps } = this.state;
    for (let i = place; i < steps.length; i += 3) {
      const effect = steps[i + 1];
      if (effect === effectCode.allow || effect === effectCode.redact) this.visit(steps[i] as number);
    }
  }

  /** A service has got the data, redacted or not. */
  visit(service: number): void {
    const { services, nodes } = this.graph;
    const { name, node } = services[service] as GraphService;
    const { region } = nodes[node] as DeploymentGraph['nodes'][number];
    this.visited.services.push(name);
    if (!this.visited.regions.includes(region)) this.visited.regions.push(region);
  }

  /** JSON of the original request, written at most once however many services are called from here. */
  get requestText(): string {
    this.unchangingText ??= JSON.stringify(this.request);
    return this.unchangingText;
  }

  /** The message for the next hop, as JSON. */
  get messageText(): string {
    const categories = JSON.stringify(this.fieldCategories);
    return `{"state":${JSON.stringify(this.state)},"fieldCategories":${categories},"request":${this.requestText}}`;
  }

  /** A flow of its own for one branch of a fork: it starts from what is known here and counts from zero. */
  fork(at: number, replyTo: string, join: number, branch: number): Flow {
    const { detour: _none, ...state } = this.state;
    const placed = Object.fromEntries(Object.entries(state.placed).map(([node, copies]) => [node, [...copies]]));
    const own = { at, replyTo, join, branch, hops: 0, hopsBetweenNodes: 0, exposureBytes: {}, placed };
    const delivered = copyOfDeliveries(state.delivered);
    const forked = { ...state, ...own, delivered, steps: [...state.steps], reached: [...state.reached] };
    const flow = new Flow(forked, this.request, this.fieldCategories, this.graph);
    flow.unchangingText = this.requestText;
    return flow;
  }
}

/** @param reached what the receiving role adds: its own node has the original data now */
export function receiveFlow(message: FlowMessage, graph: DeploymentGraph, reached: number | undefined): Flow {
  const { state } = message;
  if (reached !== undefined && !state.reached.includes(reached)) state.reached.push(reached);
  return new Flow(state, message.request, message.fieldCategories, graph);
}
