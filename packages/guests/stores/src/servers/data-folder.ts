/**
 * A data folder for a server below the system's temporary one. A server that refuses to run as root runs as another
 * user, who must be able to reach it. A temporary folder that only root may enter is therefore skipped.
 */
import { chmodSync, chownSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const worldMayEnter = 0o001;

/**
 * @param group whose members also need access; default: none
 * @returns path of a new folder, which no other user can have created
 */
export function makeDataFolder(name: string, group?: number): string {
  const places = [tmpdir(), '/tmp', '/var/tmp'];
  const place = group === undefined ? tmpdir() : (places.find(canBeEntered) ?? tmpdir());
  const folder = mkdtempSync(join(place, `topo-bench-${name}-`));
  if (group !== undefined) {
    chownSync(folder, process.getuid?.() ?? 0, group);
    chmodSync(folder, 0o710);
  }
  return folder;
}

/** Whether every user may enter the folder and all its ancestors. */
export function canBeEntered(folder: string): boolean {
  try {
    for (let at = folder; ; at = dirname(at)) {
      if ((statSync(at).mode & worldMayEnter) === 0) return false;
      if (at === dirname(at)) return true;
    }
  } catch {
    return false;
  }
}
