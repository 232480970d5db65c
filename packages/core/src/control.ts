/**
 * Control routes of every role (token in `x-topo-control`), used by the experiment and the runners:
 * `GET /health` (no token) → 200 `{ name, kind }` · `GET /control/stats` → RoleStats · `POST /control/reset` zeroes the
 * counters · `GET /control/timeline` → OwnRoleTimeline since the last reset · `GET /control/clock` → HostClockReading ·
 * `GET /control/memory` → RoleMemory · `GET /control/spans` → Span[] and forgets them ·
 * `GET /control/seen/:id` → LastSeen or 404 · `GET /control/usage` and `GET /control/usage/pss` → use of its process
 * and control group, `GET /control/host` → facts of its machine, both for runners that cannot read them ·
 * `POST /control/probe/:id` → Probe, from the gateway · `POST /control/faults` with MessageFaults replaces those of the
 * role · `POST /control/rules` with RuleChange → RulesConfirmed, at the gateway and enforcement points ·
 * `GET /control/rules-confirmed/:id` → RulesConfirmed when a point has that version, or 204 · `GET /control/rules/:id`
 * and `GET /control/rules-next/:id` with `<point>@<version>`, at the gateway → RuleChange for that point when there is
 * a newer one, now or later, or 204 · `POST /control/process/<change>`, at the port of a keeper → changes the process
 * of its role: `kill`, `restart` with changed rules or without, `freeze` or `thaw`.
 */
export interface RoleStats {
  name: string;
  kind: string;
  /** Requests that this process finished handling since the last reset. */
  served: number;
  /** Requests handled before the last reset: those of the warm-up and of earlier loads. Absent from older builds. */
  servedBefore?: number;
  /** CPU time of the process since the last reset, user + system. */
  cpuUs: number;
  /**
   * System time of this process since the last reset, next to a user-supplied service too. Absent from older builds.
   */
  systemUs?: number;
  rssBytes: number;
  /** Since the last reset, 0…1. */
  eventLoopUtilization: number;
  /** Turns since the last reset, and time that they waited for events; absent where Node.js does not count turns. */
  eventLoop?: { turns: number; idleUs: number } | undefined;
  /** Garbage collections since the last reset; absent before the first one. */
  collections?: { minor: CollectionPauses; major: CollectionPauses } | undefined;
  /** Requests in flight now. */
  inFlight: number;
  /** Open sockets to peers, and calls that wait for one: the current number and the maximum since the last reset. */
  connections: number;
  queued: number;
  queuedMax: number;
  /** Sockets opened to peers since the last reset; absent from older builds. */
  connectionsOpened?: number;
  /**
   * Since the last reset: requests to this process, without its control routes, and its calls to peers. Absent from
   * older builds.
   */
  messages?: ReceivedAndSent;
  /** Bodies of those messages and of their answers, without streams of rows. */
  bytes?: ReceivedAndSent;
  /** Decisions made here since the last reset. */
  decisions: { allow: number; deny: number; redact: number; reroute: number };
  /**
   * CPU time of the role itself, next to a user-supplied service. The fields above are then those of the service.
   * Without enforcement the role carries the flow.
   */
  carrierCpuUs?: number;
  /** Its use is unknown: it runs on another host, or the system does not report it. */
  unmeasured?: true;
  /** The user-supplied service answered such a call past enforcement with 2xx, before the load. */
  uncheckedCall?: UncheckedCall;
  /**
   * Present for a service with columns and rules: rows decided (also counted in `decisions`), rows by deciding rule
   * (the default effect is none), and bytes withheld by category of data.
   */
  columns?: { rows: number; byRule: Record<string, number>; exposureBytes: Record<string, number> };
  /** Late or repeated reports without a waiting request, since the last reset. */
  ignoredReports?: number;
  /** Ids of requests on which this service worked more than once since the last reset; the first thousand. */
  repeated?: string[];
}

/** A call that a user-supplied service must refuse. */
export type UncheckedCall = 'without a token' | 'with a wrong token';

export interface ReceivedAndSent {
  received: number;
  sent: number;
}

/** Memory of a role at the moment of the question, as the role itself reads it. */
export interface RoleMemory {
  name: string;
  kind: string;
  /**
   * Proportional set size: shared pages count in parts. Absent next to a user-supplied service, and where the system
   * does not report it.
   */
  pssBytes?: number;
}

/** Pauses of the main thread for garbage collections of one generation. One major collection can have several. */
export interface CollectionPauses {
  count: number;
  /** Sum of all of them. */
  pauseUs: number;
  maxPauseUs: number;
}

/**
 * The last contact of a role with a request. The gateway derives the last acknowledged hop of a lost flow from these.
 */
export interface LastSeen {
  id: string;
  /** Steps done when this role last touched it. */
  step: number;
  /** Name of the peer that last acknowledged it, from this role. */
  acknowledgedBy: string | undefined;
}

/** `parsed`: from the parsed body of a message to the first effect of its receiver, other than an acknowledgement. */
export type SpanKind = 'parsed' | 'queued' | 'decide' | 'call' | 'work' | 'link';

/** The message between roles that a span belongs to. */
export interface SpanPlace {
  /** Number of the message on its path: 0 is the request of the client. Branches of a fork count on in parallel. */
  hop: number;
  /** The message, as `<sender>/<number>`: spans that its sender records (`call`, `queued`, and `link` of a sender). */
  message?: string;
  /** The message in whose handling the interval lies; absent for the request of the client. */
  parent?: string;
}

/** One traced interval of one request in one role. The place is absent from older builds. */
export interface Span extends Partial<SpanPlace> {
  id: string;
  role: string;
  kind: SpanKind;
  /**
   * Target service of the step. For `queued`, the role that received the message. The sender records the time of the
   * hop minus the time that the receiver reports, each by its own clock. For `link`, the receiving role. For `parsed`
   * and for `work` at the gateway, the role itself.
   */
  service: string;
  /** On the monotonic clock of the host that collects spans. */
  startUs: number;
  /** By one clock alone. */
  durationUs: number;
  /** Bound on the error of `startUs`, when the spans were collected; absent where the role reads the same clock. */
  clockErrorUs?: number;
}

/** HTTP headers. */
export const headers = {
  /** Proof that the caller may send data to this role. */
  token: 'x-topo-token',
  control: 'x-topo-control',
  /** RTT in whole µs, on the gateway's answer. */
  rtt: 'x-topo-rtt-us',
  /** Id of the request, on calls of user-supplied services. */
  requestId: 'x-request-id',
  /** Hop number and name of a message of a traced request, between roles. */
  span: 'x-topo-span',
} as const;

/** A data request to a role that must be refused: without a token, by a role that is not its enforcement point. */
export interface Probe {
  /** Answer of the role; absent when the network let no request through. */
  status?: number;
  /** Why there was no answer. */
  error?: string;
}

/** Faults of the messages between roles, as their sender or the receiver of an answer applies them. */
export interface MessageFaults {
  /** Waited for before each message and answer to another role. */
  delayUs: number;
  /** Peers that its messages do not reach: no answer comes before the deadline. */
  to: readonly string[];
  /** Peers whose answers do not arrive. */
  from: readonly string[];
}

export const noMessageFaults: MessageFaults = { delayUs: 0, to: [], from: [] };
