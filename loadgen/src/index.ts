/** Load drivers behind one port, what they record, and the checks that decide whether a measurement may be compared. */
export * from './autocannon/driver.ts';
export * from './driver.ts';
export * from './error-kind.ts';
export * from './load-job.ts';
export * from './load-result.ts';
export * from './open/driver.ts';
export * from './samples.ts';
export * from './shared-clock.ts';
