/** The steps from a program on this machine to a server with fresh data, at its own defaults for durability. */
import type { StoreEngine } from '@topo-bench/core';
import type { Guard, GuardedCommand } from './guarded-process.ts';

/** Where a server runs. */
export interface Place {
  folder: string;
  port: number;
  log: string;
}

/** How a server is started. */
export interface Recipe {
  engine: StoreEngine;
  /** Name of the program, for messages and folders. */
  name: string;
  origin: 'embedded' | 'found-binary';
  source: string;
  /** Group of the user that it runs as, if not our own: it needs access to the server's folder. */
  group: number | undefined;
  /** Prepares the folder. */
  prepare(place: Place, guard: Guard): Promise<void>;
  serve(place: Place): Omit<GuardedCommand, 'log'>;
  /** Connection string with the password, for a user who may create and drop databases. */
  url(port: number): string;
}
