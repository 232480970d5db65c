/** The flow of a request at the gateway: its start, and the test for the gateway's own deadline. */
import type { RequestFacts } from '@topo-bench/core';
import { Flow } from './flow.ts';
import type { FlowRole } from './flow-role.ts';
import { allMarginsUs } from './hop-times.ts';
import type { FlowState, Verdict } from './messages.ts';

/** A request as received from its client. */
export interface AcceptedRequest {
  id: string;
  request: RequestFacts;
  fieldCategories: Record<string, string>;
}

/**
 * @param nowUs time at which the request had been parsed
 * @param version rule set that decides all of its steps; absent: each enforcement point uses the one that it has
 */
export function beginFlow(
  role: FlowRole,
  { id, request, fieldCategories }: AcceptedRequest,
  nowUs: number,
  version?: number,
): Flow {
  const state = {
    ...initialState(role, id),
    ...(version !== undefined && { version }),
    ...(role.retries && { enteredUs: nowUs }),
  };
  const expiresUs = nowUs + role.deadlines.requestUs;
  return new Flow(state, withCategories(request, fieldCategories), fieldCategories, role.graph, expiresUs);
}

/** A request has the categories of its fields, whether or not its client lists them: a rule must not miss one. */
function withCategories(request: RequestFacts, fieldCategories: Readonly<Record<string, string>>): RequestFacts {
  const unlisted = Object.values(fieldCategories).filter(
    (category) => category !== 'none' && !request.categories.includes(category),
  );
  return unlisted.length === 0
    ? request
    : { ...request, categories: [...new Set([...request.categories, ...unlisted])] };
}

export function initialState({ name, node, graph }: Pick<FlowRole, 'name' | 'node' | 'graph'>, id: string): FlowState {
  return {
    id,
    at: graph.flow.start,
    replyTo: name,
    join: -1,
    branch: -1,
    done: 0,
    hops: 0,
    hopsBetweenNodes: 0,
    steps: [],
    delivered: { services: [], copies: [] },
    reached: [node],
    placed: {},
    exposureBytes: {},
  };
}

// Timers have a resolution of 1 ms.
const timerErrorUs = 2000;

/**
 * Whether an outcome is the deadline of the whole request rather than that of a hop. Such a request counts as
 * unfinished. In nested style each hop times out before its caller, so the error arrives shortly before the deadline.
 */
export function isPastDeadline(role: FlowRole, verdict: Verdict, rttUs: number): boolean {
  const isDeadline = verdict.kind === 'error' && verdict.error.startsWith('deadline:');
  return isDeadline && rttUs >= role.deadlines.requestUs - Math.max(timerErrorUs, allMarginsUs(role));
}
