/** Load drivers behind one port, what they record, and the checks that decide whether a measurement may be compared. */
export * from './autocannon/driver.ts';
export * from './driver.ts';
export * from './error-kind.ts';
export * from './find-max/condition.ts';
export * from './find-max/find-max.ts';
export type { GeneratorUse } from './generator/messages.ts';
export * from './host/hiccup-probe.ts';
export * from './host/host-cpu.ts';
export * from './host/process-use.ts';
export * from './load-job.ts';
export * from './load-result.ts';
export * from './load-url/load-url.ts';
export * from './open/driver.ts';
export * from './samples.ts';
export * from './schedule-adherence.ts';
export * from './shared-clock.ts';
export * from './validity.ts';
export * from './warm-up.ts';
