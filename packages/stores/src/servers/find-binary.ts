/** Looks for a server's binary the way a shell does, and in the folders where distributions keep servers apart. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const serverFolders = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/** @returns its path; undefined when there is none */
export function findBinary(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...serverFolders].filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
