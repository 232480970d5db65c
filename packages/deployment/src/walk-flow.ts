/**
 * The paths of a request through the roles of a deployment: sender and receiver of every message. Peers, planned hops
 * and links are all derived from it, and thus agree.
 */
import { enforcementArchitectures, flowEnd, type Graph, gatewayName } from '@topo-bench/topology';
import type { DeploymentPlan } from './deployment-plan.ts';

/** One message between two roles. Answers and acknowledgements use the same connection and are not hops. */
export interface Hop {
  from: string;
  to: string;
  /**
   * `pass`: forwarded to the next enforcement point · `call`: a service is called · `report`: the end of a flow or
   * branch.
   */
  kind: 'pass' | 'call' | 'report';
}

export interface Visitor {
  hop(hop: Hop): void;
  /** `executor` decides a step (under `none`: does it); refusals and errors there go to `replyTo`. */
  step?(step: { executor: string; service: number; replyTo: string }): void;
  /** Alternatives (indexes) to which a step may be rerouted. Omitted: none, so each instruction is visited once. */
  reroutes?(service: number): readonly number[];
}

/** Position of a message: its current role, and the role that receives the report of this part of the flow. */
interface Position {
  at: number;
  holder: string;
  replyTo: string;
}

/**
 * Follows the flow program along every path that the visitor's reroutes allow, each position once. The role with the
 * data opens a fork: at the start the gateway, unless one enforcement point receives whole flows. Nested style has no
 * reports: outcomes return on the calls.
 * @param gateway at which the request enters
 */
export function walkFlow(
  graph: Graph,
  executorOf: DeploymentPlan['executorOf'],
  visitor: Visitor,
  gateway = gatewayName,
): void {
  const isForward = graph.enforcement.style === 'forward';
  const send = (kind: Hop['kind'], from: string, to: string): void => {
    if (from !== to && (kind !== 'report' || isForward)) visitor.hop({ from, to, kind });
  };
  const step = (service: number, holder: string, replyTo: string): string => {
    const executor = executorOf[service]!;
    send('pass', holder, executor);
    visitor.step?.({ executor, service, replyTo });
    return executor;
  };
  const call = (service: number): void => {
    const { name, user } = graph.services[service]!;
    // Without enforcement, the role next to a user-supplied service calls it and has the same name.
    if (user && executorOf[service] === name) visitor.hop({ from: name, to: name, kind: 'call' });
    else send('call', executorOf[service]!, name);
  };

  const { wholeFlowsTo } = enforcementArchitectures[graph.enforcement.architecture];
  if (wholeFlowsTo) send('pass', gateway, wholeFlowsTo);
  const pending: Position[] = [{ at: graph.flow.start, holder: wholeFlowsTo ?? gateway, replyTo: gateway }];
  const seen = new Set<string>();
  for (let position = pending.pop(); position; position = pending.pop()) {
    const { at, holder, replyTo } = position;
    if (at === flowEnd) {
      send('report', holder, replyTo);
      continue;
    }
    const key = `${at} ${holder} ${replyTo}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const instruction = graph.flow.instructions[at]!;
    const { next } = instruction;
    if (instruction.kind === 'fork') {
      const branches = instruction.branches.map((branch) => ({ at: branch, holder, replyTo: holder }));
      pending.push({ at: next, holder, replyTo }, ...branches.toReversed());
      continue;
    }
    const executor = step(instruction.service, holder, replyTo);
    call(instruction.service);
    for (const alternative of visitor.reroutes?.(instruction.service) ?? []) {
      const other = step(alternative, executor, replyTo);
      call(alternative);
      pending.push({ at: next, holder: other, replyTo });
    }
    pending.push({ at: next, holder: executor, replyTo });
  }
}
