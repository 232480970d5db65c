/** Identity of the set of processes that this process can see: a process id has a meaning only there. */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

/**
 * 12 hexadecimal digits, the same for all processes that see each other's process ids, and after a reboot.
 * Distinguishes machines of the same name (machine-id(5)), and containers with the host name of their machine
 * (pid_namespaces(7)).
 */
export function readHostId(): string {
  const facts = [
    os.hostname(),
    readOrEmpty(() => readFileSync('/etc/machine-id', 'utf8')),
    // Linux numbers the first name space of a machine the same at every boot.
    readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
  ];
  return createHash('sha256').update(facts.join('\0')).digest('hex').slice(0, 12);
}

/** Empty on systems without the file. */
function readOrEmpty(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return '';
  }
}
