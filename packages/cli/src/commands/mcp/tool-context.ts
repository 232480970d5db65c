/** What a tool gets next to its input. */
import type { Measurements } from './measurements.ts';
import type { ReadableFiles } from './readable-files.ts';

export interface ToolContext {
  files: ReadableFiles;
  /** Shared by all calls of the server. */
  measurements: Measurements;
  signal: AbortSignal;
  /** Sent to a client that asked for it. */
  progress(done: number, all: number, message: string): void;
}
