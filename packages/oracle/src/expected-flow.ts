/** What must happen to a request on its way through the flow: each step's decision, in order, and how the request ends. */
import { type Decision, type GatewayRequest, type StepRecord, TopoBenchError } from '@topo-bench/core';
import { type DeploymentPlan, type FlowInstruction, flowEnd, type Graph, type Node, type Service } from '@topo-bench/topology';
import type { ExpectedDelivery } from './check-delivery.ts';
import type { Exposure, Withheld } from './exposure.ts';
import type { Redactions } from './redacted-copy.ts';
import { rightDecision } from './right-decision.ts';

export interface ExpectedStep extends StepRecord {
  /** Steps (indexes) that must have been decided before this one can be. */
  after: readonly number[];
}

export interface ExpectedFlow {
  /** In flow order, branches of a group in file order; a rerouted step is followed by that of its alternative. */
  steps: ExpectedStep[];
  outcome: 'completed' | 'refused';
  /** The refusal that is named: the first in file order. Its rule is undefined when the default effect refused. */
  refusal: { rule: string | undefined; service: string } | undefined;
  /** The copies that services have to get, in flow order. */
  deliveries: ExpectedDelivery[];
  /** Where refused data had reached the node that must not have it; empty without a deployment plan. */
  exposures: Exposure[];
}

/**
 * Follows the flow program as semantics have it: a branch of a group starts from the state at the fork and a group always finishes;
 * after a reroute the alternative's own rules are asked, and a second reroute is a denial by the rule that asked for it; every service
 * that got the data, redacted or not, is in the flow facts of later steps, once per visit, its region without repeats.
 * Under `none` nothing decides: no steps, every service gets the original, and every request completes.
 * @param plan says on which nodes processes get the data; without it there are no exposures
 */
export function expectedFlow(graph: Graph, plan: DeploymentPlan | undefined, request: GatewayRequest): ExpectedFlow {
  const walk = new FlowWalk(graph, plan, request);
  walk.follow(graph.flow.start, { services: [], regions: [], reached: [graph.gatewayNode], copies: [], last: [] });
  return walk.result;
}

/** What is known of the data at a point of the flow. */
interface Trace {
  services: string[];
  regions: string[];
  /** Nodes with a process that has received the original data. */
  reached: number[];
  /** Copies that permitted steps put on a node, and the pointers that each lacks. */
  copies: { node: number; lacking: readonly string[] }[];
  /** Steps (indexes) that were the last on the way here. */
  last: number[];
}

class FlowWalk {
  readonly result: ExpectedFlow = { steps: [], outcome: 'completed', refusal: undefined, deliveries: [], exposures: [] };
  readonly #graph: Graph;
  readonly #plan: DeploymentPlan | undefined;
  readonly #request: GatewayRequest;

  constructor(graph: Graph, plan: DeploymentPlan | undefined, request: GatewayRequest) {
    this.#graph = graph;
    this.#plan = plan;
    this.#request = request;
  }

  /** Goes on from a place of the program to the end of its series. @returns the state there; undefined when refused on the way */
  follow(place: number, from: Trace): Trace | undefined {
    let trace: Trace | undefined = from;
    for (let at = place; at !== flowEnd && trace; ) {
      const instruction = this.#graph.flow.instructions[at] as FlowInstruction;
      trace = instruction.kind === 'step' ? this.#step(instruction.service, trace) : this.#fork(instruction.branches, trace);
      at = instruction.next;
    }
    return trace;
  }

  #fork(branches: readonly number[], trace: Trace): Trace | undefined {
    // All branches run before any is looked at: a group always finishes.
    const ends = branches.map((branch) => this.follow(branch, trace));
    const passed = ends.filter((end) => end !== undefined);
    if (passed.length < ends.length) return undefined;
    return {
      services: trace.services.concat(...passed.map((end) => end.services.slice(trace.services.length))),
      regions: [...new Set(passed.flatMap((end) => end.regions))],
      reached: [...new Set(passed.flatMap((end) => end.reached))],
      copies: trace.copies.concat(...passed.map((end) => end.copies.slice(trace.copies.length))),
      last: passed.flatMap((end) => end.last),
    };
  }

  #step(index: number, trace: Trace): Trace | undefined {
    const service = this.#graph.services[index] as Service;
    if (this.#graph.enforcement.architecture === 'none') return this.#visit(service, [nothing], trace);
    const first = this.#decide(service, trace);
    const afterFirst = this.#record(service, first, trace, withheldBy(first));
    if (first.effect === 'deny') return this.#refuse(service, first);
    if (first.effect !== 'reroute') return this.#visit(service, [first], afterFirst);

    const alternative = this.#alternative(first);
    const own = this.#decide(alternative, afterFirst);
    const second: Decision = own.effect === 'reroute' ? { ...own, effect: 'deny' } : own;
    const hidden = [...hiddenBy(first), ...hiddenBy(second)];
    const afterSecond = this.#record(alternative, second, afterFirst, second.effect === 'deny' ? 'everything' : hidden);
    return second.effect === 'deny' ? this.#refuse(alternative, second) : this.#visit(alternative, [first, second], afterSecond);
  }

  #decide(service: Service, trace: Trace): Decision {
    const { class: requestClass, origin, categories, consents, purpose, payload } = this.#request;
    const node = this.#graph.nodes[service.node] as Node;
    return rightDecision(this.#graph.rules, {
      request: { class: requestClass, origin, categories, consents, purpose, payload },
      target: { service: service.name, node: node.name, region: node.region, tags: [...service.tags] },
      flow: { services: trace.services, regions: trace.regions },
    });
  }

  /** Notes the step and its exposure. @returns the state once the enforcement point of the service holds the data */
  #record(service: Service, { effect, rule }: Decision, trace: Trace, withheld: Withheld): Trace {
    const { steps, exposures } = this.result;
    const executor = this.#plan?.roles.find(({ name }) => name === this.#plan?.executorOf[service.index]);
    const reached = executor ? [...trace.reached, executor.node] : trace.reached;
    if (this.#plan && withheld.length > 0 && reached.includes(service.node)) {
      const here = trace.copies.filter(({ node }) => node === service.node);
      exposures.push({ withheld, permittedCopies: here.map(({ lacking }) => lacking) });
    }
    steps.push({ service: service.name, effect, ...(rule === undefined ? {} : { rule }), after: trace.last });
    return { ...trace, reached, last: [steps.length - 1] };
  }

  /** The service gets a copy under the redactions of those decisions. */
  #visit(service: Service, decisions: readonly Redactions[], trace: Trace): Trace {
    const remove = decisions.flatMap((decision) => decision.remove);
    const pseudonymise = decisions.flatMap((decision) => decision.pseudonymise);
    this.result.deliveries.push({ service: service.name, remove, pseudonymise });
    const { region } = this.#graph.nodes[service.node] as Node;
    return {
      ...trace,
      services: [...trace.services, service.name],
      regions: [...new Set([...trace.regions, region])],
      copies: [...trace.copies, { node: service.node, lacking: [...remove, ...pseudonymise] }],
    };
  }

  #refuse(service: Service, { rule }: Decision): undefined {
    this.result.outcome = 'refused';
    // Branches are followed in file order, so the first refusal met is the one to name.
    this.result.refusal ??= { rule, service: service.name };
  }

  #alternative({ rule, to }: Decision): Service {
    const found = this.#graph.services.find(({ name }) => name === to);
    if (found) return found;
    throw new TopoBenchError('TB_RULES_UNKNOWN_SERVICE', `rule ${rule} reroutes to ${JSON.stringify(to)}, which is no service`);
  }
}

const nothing: Redactions = { remove: [], pseudonymise: [] };

function hiddenBy({ remove, pseudonymise }: Decision): string[] {
  return [...remove, ...pseudonymise];
}

function withheldBy(decision: Decision): Withheld {
  return decision.effect === 'deny' || decision.effect === 'reroute' ? 'everything' : hiddenBy(decision);
}
