/** The steps from a program on this machine to a server with fresh data, with its own defaults for durability. */
import type { StoreEngine } from '@topo-bench/core';
import type { Guard, GuardedCommand } from './guarded-process.ts';

/** Folder, address and log of a server. */
export interface Place {
  folder: string;
  /** Address that it listens on: a loopback address, or one of this machine that containers reach. */
  host: string;
  port: number;
  log: string;
}

/** How to start a server. */
export interface Recipe {
  engine: StoreEngine;
  /** Name of the program, for messages and folders. */
  name: string;
  origin: 'embedded' | 'found-binary';
  source: string;
  /** Group of the server's user, if not our own: it needs access to the server's folder. */
  group: number | undefined;
  /** Prepares the folder. */
  prepare(place: Place, guard: Guard): Promise<void>;
  serve(place: Place): Omit<GuardedCommand, 'log'>;
  /**
   * Replaces the user of a new server by that of `url`. Absent when `prepare` does. It is called again while it rejects
   * with another error than a TopoBenchError: the server is not ready.
   */
  replaceFirstUser?(place: Place): Promise<void>;
  /** Connection string with the password, for a user who may create and drop databases. */
  url(place: Pick<Place, 'host' | 'port'>): string;
}
