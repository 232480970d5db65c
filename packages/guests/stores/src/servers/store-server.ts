/** The database server of a run's stores: user-supplied by its address, or started by us. */
import type { ReachedContainer, StoreEngine, TopoBenchError } from '@topo-bench/core';

export interface StoreServer {
  engine: StoreEngine;
  /** Its origin. */
  origin: 'connection-string' | 'image' | 'embedded' | 'found-binary';
  /** Its source, without secrets: the variable or field with its address, its image, or the path of its binary. */
  source: string;
  /** Address for a user who may create and drop databases; it may contain a password. */
  url: string;
  /** Present for a server in a container. */
  container?: ReachedContainer | undefined;
  /** Process to measure, with its children; undefined for a user-supplied server. */
  readonly pid: number | undefined;
  /** Start options that differ from its defaults. */
  started: readonly string[];
  /** Called when it exits unexpectedly. */
  onDeath: ((error: TopoBenchError) => void) | undefined;
  /**
   * Whether the end of its log states a full disk: a client may get no more than the end of its connection. Absent for
   * a server whose log is not here.
   */
  hasFullDisk?(): boolean;
  /** Restarts our own server after its exit, on the same data and port. */
  restart(): Promise<void>;
  /**
   * Ends our own server and starts it again on the same data and port: a fresh process. Does nothing for a
   * user-supplied one.
   */
  renew(signal?: AbortSignal): Promise<void>;
  /** Ends our own server and removes its data; does nothing for a user-supplied one. */
  stop(): Promise<void>;
}
