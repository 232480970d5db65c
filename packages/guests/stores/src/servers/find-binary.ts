/** Searches a server's binary in PATH, and in the folders where distributions install servers. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const serverFolders = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/**
 * @param more folders to search last
 * @returns its path; undefined without one
 */
export function findBinary(name: string, more: readonly string[] = []): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...serverFolders, ...more].filter(
    (folder) => folder !== '',
  );
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
