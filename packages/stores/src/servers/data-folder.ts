/**
 * A folder for a server's data under the system's temporary one. A server that refuses to run as root runs as another
 * user, who must be able to reach it: a temporary folder that only root may enter is passed over.
 */
import { chmodSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const worldMayEnter = 0o001;

/**
 * @param forOthers whether users other than us must reach it
 * @returns path of a new folder, which nobody else can have made
 */
export function makeDataFolder(name: string, forOthers: boolean): string {
  const places = [tmpdir(), '/tmp', '/var/tmp'];
  const place = forOthers ? (places.find(canBeEntered) ?? tmpdir()) : tmpdir();
  const folder = mkdtempSync(join(place, `topo-bench-${name}-`));
  if (forOthers) chmodSync(folder, 0o755);
  return folder;
}

/** Whether every user may pass through the folder and all that it lies in. */
function canBeEntered(folder: string): boolean {
  try {
    for (let at = folder; ; at = dirname(at)) {
      if ((statSync(at).mode & worldMayEnter) === 0) return false;
      if (at === dirname(at)) return true;
    }
  } catch {
    return false;
  }
}
