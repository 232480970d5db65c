/** The only code that knows the operating system. */
export * from './clock/host-clock.ts';
export * from './clock/sleep-until.ts';
export * from './machine/host-cpu.ts';
export * from './machine/keep-awake.ts';
export * from './priority/highest-nice.ts';
export * from './priority/real-time-priority.ts';
export * from './process/process-group.ts';
export * from './process/process-memory.ts';
export * from './process/process-start.ts';
export * from './process/process-stat.ts';
export * from './process/process-tree.ts';
export * from './process/process-usage.ts';
