/** Servers whose binary is on this machine, and the folder of data that each of their recipes prepares. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canBeEntered } from './data-folder.ts';
import { findBinary } from './find-binary.ts';
import type { LocalServer } from './local-server.ts';
import type { Place, Recipe } from './recipe.ts';
import { giveTo, type RunAs, type ServerUsers, serverUsers } from './run-as.ts';

/** A server that we know how to start once its binary is found. */
export interface KnownBinary {
  binary: string;
  product: string;
  recipe(path: string): Recipe;
}

/** @param known in order of preference */
export function findKnownBinary(known: readonly KnownBinary[]): LocalServer | undefined {
  for (const { binary, product, recipe } of known) {
    const path = findBinary(binary);
    if (path !== undefined) return { product, program: path, place: `, ${path}`, recipe: () => recipe(path) };
  }
  return undefined;
}

/** @param command installs one of them, as an example */
export function installationOf(known: readonly KnownBinary[], command: string): string {
  return `put ${known.map(({ binary }) => binary).join(' or ')} on the PATH (${command})`;
}

export function dataDir({ folder }: Place): string {
  return join(folder, 'data');
}

export async function makeDataDir(place: Place, user: RunAs): Promise<void> {
  await mkdir(dataDir(place), { mode: 0o700 });
  await giveTo(user, dataDir(place));
}

/** Our own user if the binary is in a folder that others may not enter. */
export function usersFor(path: string): ServerUsers {
  return canBeEntered(dirname(path)) ? serverUsers() : { prepare: {}, serve: {} };
}
