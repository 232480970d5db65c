/** The only code that knows the operating system. */
export * from './child/pending-answer.ts';
export * from './child/supervised-child.ts';
export * from './child/when-ready.ts';
export * from './clock/host-clock.ts';
export * from './clock/sleep-until.ts';
export * from './machine/host-cpu.ts';
export * from './machine/keep-awake.ts';
export * from './port/free-port.ts';
export * from './priority/highest-nice.ts';
export * from './priority/real-time-priority.ts';
export * from './process/kill-group.ts';
export * from './process/process-group.ts';
export * from './process/process-memory.ts';
export * from './process/process-start.ts';
export * from './process/process-stat.ts';
export * from './process/process-tree.ts';
export * from './process/process-usage.ts';
