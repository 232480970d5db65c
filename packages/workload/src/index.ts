/** Seeded laws of a workload: arrivals, requests, store operations, service times, link delays. Pure. */
export * from './alternating-schedule.ts';
export * from './arrivals.ts';
export * from './class-requests.ts';
export * from './generated-rules.ts';
export * from './link-delay.ts';
export { requestGenerator } from './requests.ts';
export * from './schedule.ts';
export * from './seeded-items.ts';
export * from './service-time.ts';
export * from './store-requests.ts';
export * from './streams.ts';
export * from './turns.ts';
