/**
 * The routes of the gateway. Accepts requests, starts their flows, answers when a flow has ended, and measures the
 * round trip.
 */
import { type GatewayResponse, headers as headerNames } from '@topo-bench/core';
import {
  beginFlow,
  type Flow,
  type FlowState,
  gatewayAnswer,
  initialState,
  isPastDeadline,
  type Outcome,
  type Verdict,
} from '@topo-bench/flow';
import type { FlowPerformer } from '../executor/flow-performer.ts';
import { type Call, type Route, roleBodyLimitBytes } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { tokenGuard } from '../http/token-guard.ts';
import type { RoleParts } from '../role-parts.ts';
import type { LostFlows } from './lost-flow.ts';
import { type PendingRequest, PendingRequests } from './pending-requests.ts';
import { readRequest } from './read-request.ts';

type Parts = Pick<RoleParts, 'config' | 'counters' | 'seen' | 'spans' | 'clock'>;

export function gatewayRoutes(
  { config, counters, seen, spans, clock }: Parts,
  performer: FlowPerformer,
  lost: LostFlows,
): Route[] {
  const { role } = performer;
  const requestMs = config.deadlines.requestUs / 1000;
  const pending = new PendingRequests(requestMs, (id, request) => void giveUp(id, request));
  return [
    { method: 'POST', path: '/requests', refuse: refuseRoleTokens, handle: accept },
    {
      method: 'POST',
      path: '/report',
      bodyLimitBytes: roleBodyLimitBytes,
      refuse: tokenGuard(headerNames.token, config.secrets.token),
      handle: (call) => {
        const outcome = call.body as Outcome;
        call.answer(202, '');
        if (outcome.state.join < 0) finish(outcome, call.parsedAtUs);
        else performer.arrive(outcome);
      },
    },
  ];

  function accept(call: Call): void {
    const read = readRequest(call.body);
    const { id } = read;
    if (pending.has(id)) throw new HttpProblem(409, 'duplicate-id', `a request with the id ${id} is in flight`);
    if (pending.size >= config.inFlightCap) {
      const message = `${pending.size} requests are in flight, the limit of this gateway`;
      answer(call, initialState(role, id), { kind: 'error', error: `overloaded:${config.name}`, message }, 0);
      return;
    }
    pending.add(id, { call, t0Us: call.parsedAtUs });
    counters.inFlight = pending.size;
    const startUs = spans.start(id, clock.nowUs() - call.parsedAtUs);
    void start(beginFlow(role, read, call.parsedAtUs));
    // Covers the work until the first wait: for the link or for the answer of the next hop.
    spans.end(startUs, id, 'work', config.name);
  }

  async function start(flow: Flow): Promise<void> {
    const ending = await performer.follow(flow);
    if (ending.kind === 'answer') finish(ending.outcome, clock.nowUs());
  }

  /** @param t1Us time at which the report (forward) or the first hop's answer (nested) was parsed */
  function finish({ state, verdict }: Outcome, t1Us: number): void {
    const request = pending.take(state.id);
    if (!request) {
      counters.ignoredReports++;
      return;
    }
    const startUs = spans.start(state.id);
    end(request, state, verdict, t1Us);
    spans.end(startUs, state.id, 'work', config.name);
  }

  /** Answers for a lost or late flow. Later reports of the flow are ignored. */
  async function giveUp(id: string, request: PendingRequest): Promise<void> {
    const t1Us = clock.nowUs();
    const hop = await lost.lastAcknowledged(id, config.name, seen.find(id));
    const message = `no outcome within ${requestMs} ms; the last hop that acknowledged the request is ${hop}`;
    end(request, initialState(role, id), { kind: 'error', error: `deadline:${hop}`, message }, t1Us);
  }

  function end({ call, t0Us }: PendingRequest, state: FlowState, verdict: Verdict, t1Us: number): void {
    counters.inFlight = pending.size;
    counters.served++;
    answer(call, state, verdict, t1Us - t0Us);
  }

  function answer(call: Call, state: FlowState, verdict: Verdict, rttUs: number): void {
    const pastDeadline = isPastDeadline(role, verdict, rttUs);
    const { status, response } = gatewayAnswer(config.graph, state, verdict, rttUs, pastDeadline);
    call.answer(status, JSON.stringify(response satisfies GatewayResponse), {
      [headerNames.rtt]: String(response.rttUs),
    });
  }
}

/** Only roles have these tokens. A client that sends one is impersonating a role. */
function refuseRoleTokens(headers: Readonly<Record<string, unknown>>): HttpProblem | undefined {
  if (headers[headerNames.token] === undefined && headers[headerNames.control] === undefined) return undefined;
  return new HttpProblem(403, 'forbidden', 'clients of the gateway must not send tokens of roles');
}
