/**
 * Control routes of every role (token in `x-topo-control`), used by the experiment and the runners:
 * `GET /health` (no token) → 200 `{ name, kind }` · `GET /control/stats` → RoleStats · `POST /control/reset` zeroes the
 * counters · `GET /control/spans` → Span[] and forgets them · `GET /control/seen/:id` → LastSeen or 404.
 */
export interface RoleStats {
  name: string;
  kind: string;
  /** Requests that this process finished handling since the last reset. */
  served: number;
  /**
   * Requests that it finished handling before the last reset: those of the warm-up and of earlier loads. Absent from
   * older builds.
   */
  servedBefore?: number;
  /** CPU time of the process since the last reset, user + system. */
  cpuUs: number;
  rssBytes: number;
  /** Since the last reset, 0…1. */
  eventLoopUtilization: number;
  /** Turns since the last reset, and time that they waited for events; absent where Node.js does not count turns. */
  eventLoop?: { turns: number; idleUs: number } | undefined;
  /** Garbage collections since the last reset; absent before the first one. */
  collections?: { minor: CollectionPauses; major: CollectionPauses } | undefined;
  /** Requests it holds now. */
  inFlight: number;
  /** Sockets to peers that are open, and calls that wait for one: now and most since the last reset. */
  connections: number;
  queued: number;
  queuedMax: number;
  /** Decisions made here since the last reset. */
  decisions: { allow: number; deny: number; redact: number; reroute: number };
  /**
   * Role next to a user-supplied service, whose CPU time and memory stand above: CPU time of the role itself, which
   * carries the flow when nothing is enforced.
   */
  carrierCpuUs?: number;
  /** What it uses cannot be known from here: it runs elsewhere, or the system does not tell. */
  unmeasured?: true;
  /**
   * Of a service whose columns rules decide: rows decided (they count in `decisions` too), rows by the rule that
   * decided (the default effect is none), and bytes withheld by category of data.
   */
  columns?: { rows: number; byRule: Record<string, number>; exposureBytes: Record<string, number> };
  /** Late or repeated reports without a waiting request, since the last reset. */
  ignoredReports?: number;
}

/** Pauses of the main thread for garbage collections of one generation. One major collection can have several. */
export interface CollectionPauses {
  count: number;
  /** Sum of all of them. */
  pauseUs: number;
  maxPauseUs: number;
}

/** Where a request was last seen by a role: the gateway names the last acknowledged hop of a lost flow from these. */
export interface LastSeen {
  id: string;
  /** Steps done when this role last touched it. */
  step: number;
  /** Name of the peer that last acknowledged it, from this role. */
  acknowledgedBy: string | undefined;
}

export type SpanKind = 'queued' | 'decide' | 'call' | 'work' | 'link';

/** One traced interval of one request in one role. */
export interface Span {
  id: string;
  role: string;
  kind: SpanKind;
  /**
   * Target service of the step. Of `queued` the role that received the message: the sender records the time of the hop
   * less the time that the receiver had the message, each by its own clock. Of `link` the role that is sent to, of
   * `work` at the gateway the gateway.
   */
  service: string;
  startUs: number;
  durationUs: number;
}

/** Headers of the wire. */
export const headers = {
  /** Proof that the caller may send data to this role. */
  token: 'x-topo-token',
  control: 'x-topo-control',
  /** RTT in whole µs, on the gateway's answer. */
  rtt: 'x-topo-rtt-us',
  /** Id of the request, on calls of user-supplied services. */
  requestId: 'x-request-id',
} as const;
