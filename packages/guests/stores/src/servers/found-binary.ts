/** Servers with a binary on this machine, and the recipes to start them. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canBeEntered } from './data-folder.ts';
import { findBinary } from './find-binary.ts';
import type { LocalServer } from './local-server.ts';
import type { Place, Recipe } from './recipe.ts';
import { giveTo, type RunAs, type ServerUsers, serverUsers } from './run-as.ts';

/** A server that can be started once its binary is found. */
export interface KnownBinary {
  binary: string;
  product: string;
  /** Folders of distributions that keep it off the PATH. */
  folders?(): readonly string[];
  /** Default: false. */
  withoutTransactions?: boolean;
  recipe(path: string): Recipe;
}

/** @param known in order of preference */
export function findKnownBinary(known: readonly KnownBinary[]): LocalServer | undefined {
  for (const { binary, product, folders, withoutTransactions = false, recipe } of known) {
    const path = findBinary(binary, folders?.());
    if (path === undefined) continue;
    return { product, program: path, place: `, ${path}`, withoutTransactions, recipe: () => recipe(path) };
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

/** Our own user if the folder of the binary is not accessible to others. */
export function usersFor(path: string): ServerUsers {
  return canBeEntered(dirname(path)) ? serverUsers() : { prepare: {}, serve: {} };
}
