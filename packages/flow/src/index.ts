/** The rules of every role: machines without I/O, clock or hash. `./memory` is a deployment of them. */
export { Decider } from './decider.ts';

export type { FlowEffect } from './effects.ts';
export { addExposure, type PlacedCopies, placeCopy } from './exposure.ts';
export { receiveFlow } from './flow.ts';
export { type FlowRole, flowRole } from './flow-role.ts';
export { FlowRun } from './flow-run.ts';
export { ForkTable } from './fork-table.ts';
export { type GatewayAnswer, gatewayAnswer } from './gateway-answer.ts';
export { type AcceptedRequest, initialState, isPastDeadline } from './gateway-flow.ts';
export { deadlinePassed, HopFailure } from './hop-failure.ts';
export { allMarginsUs, HopTimes } from './hop-times.ts';
export { type FlowCounts, noCounts } from './machine/flow-counts.ts';
export { lastHop } from './machine/last-hop.ts';
export { LastSeenRing } from './machine/last-seen.ts';
export type * from './machine/role-effect.ts';
export { RoleMachine } from './machine/role-machine.ts';
export type { FlowTask, Task } from './machine/task.ts';
export * from './messages.ts';
export { type Redaction, redactPayload } from './redact-payload.ts';
