/** The gateway: takes requests in, starts their flows, holds each answer until the flow has ended, and measures in between. */
import type { Clock } from '@topo-bench/core/clock';
import { headers as headerNames } from '@topo-bench/core/control';
import type { GatewayResponse } from '@topo-bench/core/gateway-api';
import type { FlowState, Outcome, Verdict } from '@topo-bench/flow';
import { Flow, gatewayAnswer, nestedMargin } from '@topo-bench/flow';
import type { LastSeenRing } from '../control/last-seen.ts';
import type { RoleCounters } from '../control/role-counters.ts';
import type { SpanRecorder } from '../control/span-recorder.ts';
import type { Interpreter } from '../executor/interpreter.ts';
import type { FullConfig } from '../full-config.ts';
import { type Call, type Route, roleBodyLimitBytes } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { tokenGuard } from '../http/token-guard.ts';
import type { LostFlows } from './lost-flow.ts';
import { type PendingRequest, PendingRequests } from './pending-requests.ts';
import { type ReadRequest, readRequest } from './read-request.ts';

export interface GatewayOptions {
  config: FullConfig;
  interpreter: Interpreter;
  counters: RoleCounters;
  seen: LastSeenRing;
  spans: SpanRecorder;
  lost: LostFlows;
  clock: Clock;
}

export function gatewayRoutes({ config, interpreter, counters, seen, spans, lost, clock }: GatewayOptions): Route[] {
  const requestMs = config.deadlines.requestUs / 1000;
  // Hops give up a request that runs out of time shortly before the gateway does; in nested style each before its caller.
  const cutFromUs = config.deadlines.requestUs - 1000 * (config.style === 'nested' ? nestedMargin(config).inAllMs : roundingMs);
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
        spans.end(outcome.state.sentUs, outcome.state.id, 'queued', config.name);
        call.answer(202, '');
        if (outcome.state.join < 0) finish(outcome.state, outcome.verdict, call.parsedAtUs);
        else if (!interpreter.joins.arrive(outcome)) counters.ignoredReports++;
      },
    },
  ];

  function accept(call: Call): void {
    const read = readRequest(call.body);
    const { id } = read;
    if (pending.has(id)) throw new HttpProblem(409, 'duplicate-id', `a request with the id ${id} is under way`);
    const flow = newFlow(read);
    if (pending.size >= config.inFlightCap) {
      const message = `${pending.size} requests are under way, the most that this gateway holds`;
      answer(call, flow.state, { kind: 'error', error: `overloaded:${config.name}`, message }, 0);
      return;
    }
    pending.add(id, { call, t0Us: call.parsedAtUs });
    counters.inFlight = pending.size;
    const startUs = spans.start(id, clock.nowUs() - call.parsedAtUs);
    void start(flow);
    // Up to the first wait: for the link, or for the answer of the next hop.
    spans.end(startUs, id, 'work', config.name);
  }

  async function start(flow: Flow): Promise<void> {
    const outcome = await interpreter.run(flow);
    if (outcome) finish(outcome.state, outcome.verdict, clock.nowUs());
  }

  /** @param t1Us when the report (forward) or the first hop's answer (nested) had been parsed */
  function finish(state: FlowState, verdict: Verdict, t1Us: number): void {
    const request = pending.take(state.id);
    if (!request) {
      counters.ignoredReports++;
      return;
    }
    const startUs = spans.start(state.id);
    end(request, state, verdict, t1Us);
    spans.end(startUs, state.id, 'work', config.name);
  }

  /** The flow is lost or late. The gateway ignores whatever it still reports. */
  async function giveUp(id: string, request: PendingRequest): Promise<void> {
    const t1Us = clock.nowUs();
    const hop = await lost.lastAcknowledged(id, config.name, seen.find(id));
    const message = `no outcome within ${requestMs} ms; the last hop that acknowledged the request is ${hop}`;
    const { state } = newFlow({ id, request: noFacts, fieldCategories: {} });
    end(request, state, { kind: 'error', error: `deadline:${hop}`, message }, t1Us);
  }

  function end({ call, t0Us }: PendingRequest, state: FlowState, verdict: Verdict, t1Us: number): void {
    counters.inFlight = pending.size;
    counters.served++;
    const rttUs = t1Us - t0Us;
    answer(call, state, verdict, rttUs, isDeadline(verdict) && rttUs >= cutFromUs);
  }

  function answer(call: Call, state: FlowState, verdict: Verdict, rttUs: number, pastDeadline = false): void {
    const { status, response } = gatewayAnswer(config.graph, state, verdict, rttUs, pastDeadline);
    call.answer(status, JSON.stringify(response satisfies GatewayResponse), { [headerNames.rtt]: String(response.rttUs) });
  }

  function newFlow({ id, request, fieldCategories }: ReadRequest): Flow {
    const expiresMs = Date.now() + requestMs;
    const state: FlowState = {
      id,
      at: config.graph.flow.start,
      replyTo: config.name,
      join: -1,
      branch: -1,
      done: 0,
      hops: 0,
      hopsBetweenNodes: 0,
      steps: [],
      delivered: { services: [], copies: [] },
      reached: [config.node],
      placed: {},
      exposureBytes: {},
      expiresMs,
      dueMs: expiresMs,
      from: config.node,
    };
    return new Flow(state, request, fieldCategories, config.graph);
  }
}

/** Deadlines travel in whole ms. */
const roundingMs = 2;

function isDeadline(verdict: Verdict): boolean {
  return verdict.kind === 'error' && verdict.error.startsWith('deadline:');
}

const noFacts = { class: '', origin: '', categories: [], consents: [], purpose: '', payload: {} };

/** Tokens are for roles: a client that presents one is trying to pass for one. */
function refuseRoleTokens(headers: Readonly<Record<string, unknown>>): HttpProblem | undefined {
  if (headers[headerNames.token] === undefined && headers[headerNames.control] === undefined) return undefined;
  return new HttpProblem(403, 'forbidden', 'clients of the gateway present no tokens of roles');
}
