/** The expected flow of a request: the decision of each step, in order, and the outcome. */
import { TopoBenchError } from '@topo-bench/core/errors';
import type { Decision, Facts } from '@topo-bench/core/facts';
import type { GatewayRequest, StepRecord } from '@topo-bench/core/gateway-api';
import type { FlowItem } from '@topo-bench/core/schema/topology';
import type { ExpectedDelivery } from './check-delivery.ts';
import type { Exposure, Withheld } from './exposure.ts';
import { type Rules, readRules } from './read-rules.ts';
import {
  enforcementNodes,
  entryNode,
  type OracleGraph,
  readFlow,
  readServices,
  type Service,
} from './read-services.ts';
import type { Redactions } from './redacted-copy.ts';
import { rightDecision } from './right-decision.ts';

export interface ExpectedStep extends StepRecord {
  /** Indexes of the steps that precede this one. */
  after: readonly number[];
}

export interface ExpectedFlow {
  /** In flow order; branches of a group in file order. The step of an alternative follows the rerouted one. */
  steps: ExpectedStep[];
  outcome: 'completed' | 'refused';
  /** The reported refusal: the first in file order. `rule` is undefined when the default effect refused. */
  refusal: { rule: string | undefined; service: string } | undefined;
  /** The copies that services must receive, in flow order. */
  deliveries: ExpectedDelivery[];
  /** Refused data that had already reached the node of its target. */
  exposures: Exposure[];
}

/** A topology and its rules, read once for many requests. */
export interface World {
  enforces: boolean;
  /** Whether a step may pass without a decision. */
  failsOpen: boolean;
  flow: readonly FlowItem[];
  services: ReadonlyMap<string, Service>;
  rules: Rules;
  /** Index of the node at which requests of an origin enter. */
  entryNode: (origin: string) => number;
  enforcementNode: (service: Service) => number;
  /** Node of the point that decides while that of the service is down; undefined where no other does. */
  takeoverNode: (service: Service) => number | undefined;
}

/** A decision, and whether the point that takes over made it. */
export type DecisionOfPoint = Decision & Pick<StepRecord, 'takenOver'>;

export function readWorld(graph: OracleGraph): World {
  const { topology, rules } = graph.source;
  const services = readServices(graph);
  return {
    enforces: topology.enforcement.architecture !== 'none',
    failsOpen: topology.enforcement.failOpen,
    flow: readFlow(topology, services),
    services: new Map(services.map((service) => [service.name, service])),
    rules: readRules(
      rules,
      services.map(({ name }) => name),
    ),
    entryNode: (origin) => entryNode(topology, origin),
    ...enforcementNodes(topology, services),
  };
}

/**
 * Follows the flow by its semantics.
 * A branch of a group starts from the state at the fork, and all branches finish.
 * After a reroute the rules of the alternative decide; a second reroute is a denial by its rule.
 * Every service that received the data is in the flow facts of later steps: once per visit, its region without repeats.
 * Under `none` there are no steps, every service receives the original, and every request completes.
 * @param decide called for each step, in the order of the steps. Default: the rules of the world
 */
export function expectedFlow(
  world: World,
  request: GatewayRequest,
  decide: (facts: Facts) => DecisionOfPoint = (facts) => rightDecision(world.rules, facts),
): ExpectedFlow {
  const walk = new FlowWalk(world, request, decide);
  walk.follow(world.flow, {
    services: [],
    regions: [],
    reached: [world.entryNode(request.origin)],
    copies: [],
    last: [],
  });
  return walk.result;
}

/** State of the data at a point of the flow. */
interface Trace {
  services: string[];
  regions: string[];
  /** Nodes with a process that received the original data. */
  reached: number[];
  /** Copies that permitted steps put on a node, with the pointers that each copy lacks. */
  copies: { node: number; lacking: readonly string[] }[];
  /** Indexes of the last steps before this point. */
  last: number[];
}

class FlowWalk {
  readonly result: ExpectedFlow = {
    steps: [],
    outcome: 'completed',
    refusal: undefined,
    deliveries: [],
    exposures: [],
  };
  readonly #world: World;
  readonly #request: GatewayRequest;
  readonly #decideBy: (facts: Facts) => DecisionOfPoint;

  constructor(world: World, request: GatewayRequest, decideBy: (facts: Facts) => DecisionOfPoint) {
    this.#world = world;
    this.#request = request;
    this.#decideBy = decideBy;
  }

  /** Follows a series. @returns the state after it; undefined when a step refused */
  follow(series: readonly FlowItem[], from: Trace): Trace | undefined {
    let trace: Trace | undefined = from;
    for (const item of series) {
      if (trace)
        trace = typeof item === 'string' ? this.#step(this.#serviceNamed(item), trace) : this.#group(item, trace);
    }
    return trace;
  }

  #group(branches: readonly FlowItem[], trace: Trace): Trace | undefined {
    // Evaluate all branches first: a group always finishes.
    const ends = branches.map((branch) => this.follow(typeof branch === 'string' ? [branch] : branch, trace));
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

  #step(service: Service, trace: Trace): Trace | undefined {
    if (!this.#world.enforces) return this.#visit(service, [nothing], trace);
    const first = this.#decide(service, trace);
    const afterFirst = this.#record(service, first, trace, withheldBy(first));
    if (first.effect === 'deny') return this.#refuse(service, first);
    if (first.effect !== 'reroute') return this.#visit(service, [first], afterFirst);

    const alternative = this.#serviceNamed(first.to ?? '');
    const own = this.#decide(alternative, afterFirst);
    const second: DecisionOfPoint = own.effect === 'reroute' ? { ...own, effect: 'deny' } : own;
    const hidden = [...hiddenBy(first), ...hiddenBy(second)];
    const afterSecond = this.#record(alternative, second, afterFirst, second.effect === 'deny' ? 'everything' : hidden);
    return second.effect === 'deny'
      ? this.#refuse(alternative, second)
      : this.#visit(alternative, [first, second], afterSecond);
  }

  #decide({ name, nodeName, region, tags }: Service, trace: Trace): DecisionOfPoint {
    const { class: requestClass, origin, categories: named, consents, purpose, payload } = this.#request;
    const ofFields = new Set(Object.values(this.#request.fieldCategories ?? {}));
    const implied = [...ofFields].filter((category) => category !== 'none' && !named.includes(category));
    return this.#decideBy({
      request: { class: requestClass, origin, categories: [...named, ...implied], consents, purpose, payload },
      target: { service: name, node: nodeName, region, tags: [...tags] },
      flow: { services: trace.services, regions: trace.regions },
    });
  }

  /** Records the step and its exposure. @returns the state after the enforcement point received the data */
  #record(service: Service, { effect, rule, takenOver }: DecisionOfPoint, trace: Trace, withheld: Withheld): Trace {
    const { steps, exposures } = this.result;
    const { enforcementNode, takeoverNode } = this.#world;
    const other = takenOver ? takeoverNode(service) : undefined;
    const reached = [...trace.reached, other ?? enforcementNode(service)];
    if (withheld.length > 0 && reached.includes(service.node)) {
      const here = trace.copies.filter(({ node }) => node === service.node);
      exposures.push({ withheld, permittedCopies: here.map(({ lacking }) => lacking) });
    }
    steps.push({ service: service.name, effect, ...(rule === undefined ? {} : { rule }), after: trace.last });
    return { ...trace, reached, last: [steps.length - 1] };
  }

  /** The service receives a copy with the redactions of the decisions. */
  #visit({ name, node, region }: Service, decisions: readonly Redactions[], trace: Trace): Trace {
    const remove = decisions.flatMap((decision) => decision.remove);
    const pseudonymise = decisions.flatMap((decision) => decision.pseudonymise);
    this.result.deliveries.push({ service: name, remove, pseudonymise });
    return {
      ...trace,
      services: [...trace.services, name],
      regions: [...new Set([...trace.regions, region])],
      copies: [...trace.copies, { node, lacking: [...remove, ...pseudonymise] }],
    };
  }

  #refuse({ name }: Service, { rule }: Decision): undefined {
    this.result.outcome = 'refused';
    // Branches are followed in file order: the first refusal is the one to report.
    this.result.refusal ??= { rule, service: name };
  }

  #serviceNamed(name: string): Service {
    const found = this.#world.services.get(name);
    if (found) return found;
    throw new TopoBenchError('TB_RULES_UNKNOWN_SERVICE', `${JSON.stringify(name)} is no service of the topology`);
  }
}

const nothing: Redactions = { remove: [], pseudonymise: [] };

function hiddenBy({ remove, pseudonymise }: Redactions): string[] {
  return [...remove, ...pseudonymise];
}

function withheldBy(decision: Decision): Withheld {
  return decision.effect === 'deny' || decision.effect === 'reroute' ? 'everything' : hiddenBy(decision);
}
