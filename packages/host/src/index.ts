/** The only code that knows the operating system. */
export * from './clock/host-clock.ts';
export * from './clock/sleep-until.ts';
export * from './host-cpu.ts';
export * from './process-group.ts';
export * from './process-memory.ts';
export * from './process-start.ts';
export * from './process-stat.ts';
export * from './process-tree.ts';
export * from './process-usage.ts';
