/**
 * The open requests of the gateway. Each ends exactly once, by its outcome or by its deadline. An id that is in flight
 * and requests beyond the cap are refused at once.
 */
import type { LastSeen } from '@topo-bench/core';
import type { FlowRole } from '../flow-role.ts';
import type { RuleIds } from '../gateway-answer.ts';
import { initialState, isPastDeadline } from '../gateway-flow.ts';
import type { FlowState, Outcome, Verdict } from '../messages.ts';
import type { FlowCounts } from './flow-counts.ts';
import { lastHop } from './last-hop.ts';
import type { LastSeenRing } from './last-seen.ts';
import type { OpenRequest, RespondEffect, RoleEffect } from './role-effect.ts';

const askUs = 1_000_000;
// Under overload many requests are late. Unlimited searches would delay the rest.
const maxSearches = 4;

/** A late request, and what the gateway itself has seen of it at its deadline. */
interface Late {
  t1Us: number;
  own: LastSeen | undefined;
}

export class OpenRequests<Reply> {
  private readonly open = new Map<string, OpenRequest<Reply>>();
  /** Late requests whose last hop is searched for. */
  private readonly late = new Map<OpenRequest<Reply>, Late>();

  constructor(
    private readonly role: FlowRole,
    private readonly counts: FlowCounts,
    private readonly seen: LastSeenRing,
    private readonly ruleIds: RuleIds,
    private readonly perform: (effect: RoleEffect<Reply>) => void,
  ) {}

  get size(): number {
    return this.open.size + this.late.size;
  }

  /** Opens a request, or refuses it. @returns whether its flow begins */
  admit(reply: Reply, id: string, nowUs: number): boolean {
    const { role, open, counts, perform } = this;
    if (open.has(id)) {
      perform({ kind: 'refuse-duplicate', reply, id });
      return false;
    }
    if (open.size >= role.inFlightCap) {
      const message = `${open.size} requests are in flight, the limit of this gateway`;
      const verdict: Verdict = { kind: 'error', error: `overloaded:${role.name}`, message };
      this.respond(reply, initialState(role, id), verdict, 0, 'in-flight-cap');
      return false;
    }
    const request: OpenRequest<Reply> = {
      ...{ id, reply, t0Us: nowUs },
      ...{ afterUs: role.deadlines.requestUs, handle: undefined },
    };
    open.set(id, request);
    counts.inFlight = open.size;
    perform({ kind: 'timer', timer: request });
    return true;
  }

  /** @param t1Us time at which the report (forward) or the first hop's answer (nested) was parsed */
  finish({ state, verdict }: Outcome, t1Us: number): void {
    const request = this.open.get(state.id);
    if (!request) {
      this.counts.ignoredReports++;
      return;
    }
    this.perform({ kind: 'cancel', timer: request });
    this.open.delete(state.id);
    this.end(request, state, verdict, t1Us, 'outcome');
  }

  /** Ends a lost or late flow. Later reports of the flow are ignored. */
  expired(request: OpenRequest<Reply>, nowUs: number): void {
    this.open.delete(request.id);
    const late: Late = { t1Us: nowUs, own: this.seen.find(request.id) };
    if (this.late.size >= maxSearches) {
      this.giveUp(request, late, []);
      return;
    }
    this.late.set(request, late);
    this.perform({ kind: 'search', request, withinUs: askUs });
  }

  /** @param others by role */
  found(request: OpenRequest<Reply>, others: Iterable<readonly [string, LastSeen]>): void {
    const late = this.late.get(request);
    if (!late) return;
    this.late.delete(request);
    this.giveUp(request, late, others);
  }

  private giveUp(
    request: OpenRequest<Reply>,
    { own, t1Us }: Late,
    others: Iterable<readonly [string, LastSeen]>,
  ): void {
    const { role } = this;
    const seen = new Map<string, LastSeen>([...(own ? [[role.name, own] as const] : []), ...others]);
    const hop = lastHop(seen) ?? role.name;
    const message = `no outcome within ${role.deadlines.requestUs / 1000} ms; the last hop that acknowledged the request is ${hop}`;
    const verdict: Verdict = { kind: 'error', error: `deadline:${hop}`, message };
    this.end(request, initialState(role, request.id), verdict, t1Us, 'deadline');
  }

  private end(
    { reply, t0Us }: OpenRequest<Reply>,
    state: FlowState,
    verdict: Verdict,
    t1Us: number,
    endedBy: RespondEffect<Reply>['endedBy'],
  ): void {
    this.counts.inFlight = this.open.size;
    this.counts.served++;
    this.respond(reply, state, verdict, t1Us - t0Us, endedBy);
  }

  private respond(
    reply: Reply,
    state: FlowState,
    verdict: Verdict,
    rttUs: number,
    endedBy: RespondEffect<Reply>['endedBy'],
  ): void {
    const pastDeadline = isPastDeadline(this.role, verdict, rttUs);
    const { ruleIds } = this;
    this.perform({ kind: 'respond', reply, outcome: { state, verdict }, rttUs, pastDeadline, ruleIds, endedBy });
  }
}
