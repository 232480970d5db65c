/**
 * Operations: what a process does in one turn of its event loop, as numbers. An operation is a code and three
 * arguments: first the turn that it is about, then the pool, service or node. The machines of the roles yield effects,
 * `role-script.ts` writes them as operations, and the engine takes time, processors and connections for them.
 */

export const operation = {
  /** The turn is over. */
  end: 0,
  /** Processor time of that kind of work (`workKinds`), for a message with that many bytes. */
  cost: 1,
  /** The `cpu` work of a service (index). */
  cpu: 2,
  /** A turn of the same process, after the `wait` work of a service (index). */
  wait: 3,
  /** A turn of the same process, after the link to a node (index) as that hop of the request. */
  link: 4,
  /** Sends a message: a turn of a peer, over a pool. Waits for a connection while none is free. */
  call: 5,
  /** Answers a message: a turn of its sender. */
  reply: 6,
  /** The answer is read: its connection of that pool is free again. */
  release: 7,
  /** A body is parsed: the time that the gateway would read now. */
  parsed: 8,
  /** The request is open at the gateway: RTT begins when its body was parsed. */
  open: 9,
  /** The gateway answers the client: a turn of the generator. RTT ends when the last body is parsed. */
  respond: 10,
  /**
   * A branch ends: counts a fork down. After the last branch the turn continues at that operation; else it is over.
   */
  join: 11,
  /** A branch ends in the turn that opened its fork: counts down and continues. */
  branch: 12,
  /** The generator sends the request: a turn of the gateway. Over the cap in flight it sends none. */
  post: 13,
  /** The generator has read the answer. */
  collect: 14,
  /** A turn of the same process, after whole µs. Live flows only. */
  timer: 15,
  /** The call that begins a turn of a peer has timed out: frees its connection of that pool. Live flows only. */
  abandon: 16,
  /** A message, as a turn of a peer over a pool, that never arrives: its call keeps the connection. Live flows only. */
  lose: 18,
  /** A request, a flow or a call for work: the role serves one more. */
  serve: 17,
  /** What follows in this turn belongs to that request (index). Live flows only. */
  as: 19,
  /** The generator sends the request, and the gateway takes no connection. Live flows only. */
  refused: 20,
} as const;

/** Operations that begin a turn. */
export const beginners: ReadonlySet<number> = new Set([
  ...[operation.wait, operation.link, operation.call, operation.reply, operation.respond, operation.post],
  operation.timer,
]);

/** Numbers per operation. */
export const operationSize = 4;

/** Kinds of work that take processor time, in the order of their numbers. */
export const workKinds = [
  /** The gateway parses a request of a client. */
  'accept',
  /** The gateway answers a client. */
  'respond',
  /** A role parses a message of another role. */
  'receive',
  /** A role acknowledges a flow or a report. */
  'acknowledge',
  /** A role serialises and sends a message. */
  'send',
  /** A role reads an acknowledgement or an answer. */
  'read',
  /** A role answers a call for work, or in nested style a flow. */
  'answer',
  /** A rule engine decides a step. */
  'decide',
  /** A generator sends a request. */
  'post',
  /** A generator reads an answer. */
  'collect',
] as const;
export type WorkKind = (typeof workKinds)[number];

const numbers = Object.fromEntries(workKinds.map((kind, number) => [kind, number])) as Record<WorkKind, number>;

export function workNumber(kind: WorkKind): number {
  return numbers[kind];
}
