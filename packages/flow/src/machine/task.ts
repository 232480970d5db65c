/** The tasks of a role: performers pass them back with the answer to an effect. */
import type { DeliveredDigests } from '@topo-bench/core';
import type { Sender } from '../flow.ts';
import type { FlowRun } from '../flow-run.ts';

/** The run of a flow at this role. */
export class FlowTask<Reply> {
  /** Its outcome is on the way to another role. */
  reporting = false;

  constructor(
    readonly run: FlowRun,
    /** `request`: a flow that began here. `message`: a flow from another role. `branch`: of a fork of this role. */
    readonly origin: 'request' | 'message' | 'branch',
    /** The message of another role. */
    readonly reply: Reply | undefined,
    /** The message that brought the flow here: that of a client, or of another role. Branches share it. */
    readonly cause: Reply,
  ) {}

  get id(): string {
    return this.run.flow.state.id;
  }
}

/** Work that an enforcement point has sent to this service. */
export class WorkTask<Reply> {
  constructor(
    readonly id: string,
    readonly reply: Reply,
    /** Digests of the received payload. */
    readonly delivered: DeliveredDigests,
    /** The answer crosses the link to this node, under the same hop. */
    readonly back: Sender,
    /** The step of the request, unique at this service. */
    readonly step: string,
  ) {}
}

export type Task<Reply> = FlowTask<Reply> | WorkTask<Reply>;
