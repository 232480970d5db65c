/**
 * The way of a request that every rule allows: who sends what to whom, in order. Peers, planned hops and the links on
 * the way are all read from it, so that they cannot disagree.
 */
import { centralEntityName, type DeploymentPlan, gatewayName } from './deployment.ts';
import { flowEnd, type Graph } from './graph.ts';

/** One message between two roles. Answers and acknowledgements travel back on it and are no hops of their own. */
export interface Hop {
  from: string;
  to: string;
  /** `pass`: the data goes on to who decides next · `call`: a service is called · `report`: the end of a flow or branch is told. */
  kind: 'pass' | 'call' | 'report';
}

export interface Visitor {
  hop(hop: Hop): void;
  /** A step is decided by `executor`; refusals and errors there go to `replyTo`. */
  step?(step: { executor: string; service: number; replyTo: string }): void;
}

/**
 * Walks the flow in file order. In nested style there are no reports: outcomes unwind on the calls.
 * A fork is held by whoever has the data then: at the start of the flow the gateway, but for the central entity.
 */
export function walkRequest(graph: Graph, executorOf: DeploymentPlan['executorOf'], visitor: Visitor): void {
  const { architecture, style } = graph.enforcement;
  const { instructions } = graph.flow;
  const send = (kind: Hop['kind'], from: string, to: string): void => {
    if (from !== to && (kind !== 'report' || style === 'forward')) visitor.hop({ from, to, kind });
  };
  const walk = (start: number, first: string, replyTo: string): void => {
    let holder = first;
    for (let at = start; at !== flowEnd; ) {
      const instruction = instructions[at]!;
      if (instruction.kind === 'fork') {
        for (const branch of instruction.branches) walk(branch, holder, holder);
      } else {
        const { service } = instruction;
        const executor = executorOf[service]!;
        send('pass', holder, executor);
        holder = executor;
        visitor.step?.({ executor, service, replyTo });
        send('call', executor, graph.services[service]!.name);
      }
      at = instruction.next;
    }
    send('report', holder, replyTo);
  };

  if (architecture === 'central-entity') {
    // The central entity answers the gateway in either style; nested, the answer is on the call.
    send('pass', gatewayName, centralEntityName);
    walk(graph.flow.start, centralEntityName, gatewayName);
  } else walk(graph.flow.start, gatewayName, gatewayName);
}
