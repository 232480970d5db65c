/** A database server that stores of a run live on: one of the user's, by its address, or one that we started. */
import type { StoreEngine, TopoBenchError } from '@topo-bench/core';

export interface StoreServer {
  engine: StoreEngine;
  /** How it came here. */
  origin: 'connection-string' | 'embedded' | 'found-binary';
  /** Where it was found, without secrets: the variable or field that names it, or the path of its binary. */
  source: string;
  /** Address for those who may make and drop databases; it may hold a password. */
  url: string;
  /** Process to measure, with its children; undefined for a server that is not ours. */
  readonly pid: number | undefined;
  /** What it was started with beyond its own defaults. */
  started: readonly string[];
  /** Called when it ends without having been asked to. */
  onDeath: ((error: TopoBenchError) => void) | undefined;
  /** Starts a server of ours that has ended again, on the same data and port. */
  restart(): Promise<void>;
  /** Ends a server of ours and starts it again on the same data and port: a process that has served nothing. Leaves one of the user's alone. */
  renew(signal?: AbortSignal): Promise<void>;
  /** Ends a server of ours and removes its data; leaves one of the user's alone. */
  stop(): Promise<void>;
}
