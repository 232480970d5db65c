/** What happens to a request at each enforcement point and service, without I/O, clock or promises. */
export * from './deliveries.ts';
export * from './exposure.ts';
export * from './flow.ts';
export * from './gateway-answer.ts';
export * from './hop-failure.ts';
export * from './merge-branches.ts';
export * from './messages.ts';
export * from './nested-margin.ts';
export * from './redact-payload.ts';
