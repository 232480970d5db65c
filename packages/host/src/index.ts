/** What the operating system knows about the host and its processes: `/proc` is read here and nowhere else. */
export * from './host-cpu.ts';
export * from './process-group.ts';
export * from './process-memory.ts';
export * from './process-start.ts';
export * from './process-stat.ts';
export * from './process-tree.ts';
export * from './process-usage.ts';
