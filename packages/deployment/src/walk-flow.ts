/**
 * The ways of a request through the roles of a deployment: who sends what to whom. Peers, planned hops and the links on
 * the way are all read from it, so that they cannot disagree.
 */
import { enforcementArchitectures, flowEnd, type Graph, gatewayName } from '@topo-bench/topology';
import type { DeploymentPlan } from './deployment-plan.ts';

/** One message between two roles. Answers and acknowledgements travel back on it and are no hops of their own. */
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
  /** A step is decided (under `none`: done) by `executor`; refusals and errors there go to `replyTo`. */
  step?(step: { executor: string; service: number; replyTo: string }): void;
  /**
   * Alternatives (indexes) that a step may be rerouted to. Left out: none, so that each instruction is visited once.
   */
  reroutes?(service: number): readonly number[];
}

/** Position of a message: the role that has it, and the role that gets the report of this part of the flow. */
interface Position {
  at: number;
  holder: string;
  replyTo: string;
}

/**
 * Follows the flow program in every way that the visitor's reroutes open, each position once. A fork is held by the
 * role that has the data then: at the start of the flow the gateway, unless one enforcement point gets every flow
 * whole. In nested style there are no reports: outcomes unwind on the calls.
 */
export function walkFlow(graph: Graph, executorOf: DeploymentPlan['executorOf'], visitor: Visitor): void {
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
    // Without enforcement, the role next to a user-supplied service calls it and has its name.
    if (user && executorOf[service] === name) visitor.hop({ from: name, to: name, kind: 'call' });
    else send('call', executorOf[service]!, name);
  };

  const { wholeFlowsTo } = enforcementArchitectures[graph.enforcement.architecture];
  if (wholeFlowsTo) send('pass', gatewayName, wholeFlowsTo);
  const pending: Position[] = [{ at: graph.flow.start, holder: wholeFlowsTo ?? gatewayName, replyTo: gatewayName }];
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
