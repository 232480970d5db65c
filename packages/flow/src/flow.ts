/** A flow in progress at a role: its message, and values derived once instead of at every step. */
import type { DeploymentGraph, FlowFacts, GraphService, RequestFacts } from '@topo-bench/core';
import { copyOfDeliveries } from './deliveries.ts';
import type { FlowRole } from './flow-role.ts';
import { effectOf, type FlowMessage, type FlowState, type WorkMessage } from './messages.ts';

/** Sender of a message. In nested style the outcome returns on the same link, under the same hop. */
export interface Sender {
  node: number;
  hop: number;
}

export class Flow {
  /** Services and regions that the data has reached, for rules. */
  readonly visited: FlowFacts = { services: [], regions: [] };
  private unchangingText: string | undefined;

  constructor(
    readonly state: FlowState,
    readonly request: RequestFacts,
    readonly fieldCategories: Record<string, string>,
    private readonly graph: DeploymentGraph,
    /** Deadline, in µs of this role's clock. */
    readonly expiresUs: number,
    /** Absent for a flow that began here. */
    readonly sender?: Sender,
  ) {
    this.visitSince(0);
  }

  /** Adds the services that received the data in the steps from this index of `state.steps` on. */
  visitSince(index: number): void {
    const { steps } = this.state;
    for (let i = index; i < steps.length; i += 3) {
      const effect = effectOf(steps[i + 1] as number);
      if (effect === 'allow' || effect === 'redact') this.visit(steps[i] as number);
    }
  }

  /** A service receives the data, redacted or not. */
  visit(service: number): void {
    const { services, nodes } = this.graph;
    const { name, node } = services[service] as GraphService;
    const { region } = nodes[node] as DeploymentGraph['nodes'][number];
    this.visited.services.push(name);
    if (!this.visited.regions.includes(region)) this.visited.regions.push(region);
  }

  /**
   * The `FlowMessage` for the next hop, as JSON.
   * @param from node of the sender
   */
  messageText(from: number, leftUs: number): string {
    const categories = JSON.stringify(this.fieldCategories);
    const head = `"state":${JSON.stringify(this.state)},"leftUs":${Math.floor(leftUs)},"from":${from}`;
    return `{${head},"fieldCategories":${categories},"request":${this.requestText}}`;
  }

  /**
   * The `WorkMessage` for a service, as JSON.
   * @param redacted its copy of the request; undefined: the original
   */
  workText(from: number, hop: number, redacted: RequestFacts | undefined): string {
    const { id, at, enteredUs } = this.state;
    const facts: Omit<WorkMessage, 'request'> = { id, from, hop, at, ...(enteredUs !== undefined && { enteredUs }) };
    const head = JSON.stringify(facts).slice(1, -1);
    return `{${head},"request":${redacted ? JSON.stringify(redacted) : this.requestText}}`;
  }

  /** The flow of one branch of a fork. It starts from the current state, with counts of zero. */
  fork(at: number, replyTo: string, join: number, branch: number): Flow {
    const { detour: _none, ...state } = this.state;
    const placed = Object.fromEntries(Object.entries(state.placed).map(([node, copies]) => [node, [...copies]]));
    const own = { at, replyTo, join, branch, hops: 0, hopsBetweenNodes: 0, exposureBytes: {}, placed };
    const delivered = copyOfDeliveries(state.delivered);
    const forked = { ...state, ...own, delivered, steps: [...state.steps], reached: [...state.reached] };
    const flow = new Flow(forked, this.request, this.fieldCategories, this.graph, this.expiresUs);
    flow.unchangingText = this.requestText;
    return flow;
  }

  /** JSON of the original request, serialized at most once for all services called from here. */
  private get requestText(): string {
    this.unchangingText ??= JSON.stringify(this.request);
    return this.unchangingText;
  }
}

/**
 * A flow received from another role. An enforcement point brings the original data to its node.
 * @param nowUs of this role's clock, at arrival
 */
export function receiveFlow(
  { state, request, fieldCategories, leftUs, from }: FlowMessage,
  role: FlowRole,
  nowUs: number,
): Flow {
  if (role.steps === 'decide' && !state.reached.includes(role.node)) state.reached.push(role.node);
  return new Flow(state, request, fieldCategories, role.graph, nowUs + leftUs, { node: from, hop: state.hops });
}
