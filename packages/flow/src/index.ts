/** The handling of a request at each enforcement point and service: a state machine without I/O, clock or promises. */
export { Decider } from './decider.ts';

export { type Crossing, type FlowEffect, type FlowEnding, isEnding } from './effects.ts';
export { addExposure, type PlacedCopies, placeCopy } from './exposure.ts';
export { Flow, receiveFlow } from './flow.ts';
export { type FlowRole, flowRole } from './flow-role.ts';
export { FlowRun } from './flow-run.ts';
export { ForkTable } from './fork-table.ts';
export { gatewayAnswer } from './gateway-answer.ts';
export { type AcceptedRequest, beginFlow, initialState, isPastDeadline } from './gateway-flow.ts';
export { deadlinePassed, HopFailure } from './hop-failure.ts';
export { HopTimes } from './hop-times.ts';
export * from './messages.ts';
export { redactPayload } from './redact-payload.ts';
