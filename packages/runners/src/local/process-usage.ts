/** What the processes of a role have used, as the kernel counts them. */
import { readProcessUsage, readStartedUsage } from '@topo-bench/host';
import type { RoleUsage } from '../runner.ts';
import type { RoleProcess } from './role-process.ts';

export function processUsage({ config: { name, kind, userService }, pid }: RoleProcess): RoleUsage {
  const process = readProcessUsage(pid);
  const started = userService?.kind === 'command' ? readStartedUsage(pid) : undefined;
  return { name, kind, userService: userService !== undefined, ...(process && { process }), ...(started && { started }) };
}
