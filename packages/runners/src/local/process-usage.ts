/** Resource use of a role's processes, as counted by the kernel. */
import { readProcessUsage, readPssBytes, readStartedUsage } from '@topo-bench/host';
import type { RoleUsage, UsageOptions } from '../runner.ts';
import type { RoleProcess } from './role-process.ts';

export function processUsage(
  { config: { name, kind, userService }, pid }: RoleProcess,
  { pss }: UsageOptions,
): RoleUsage {
  const process = readProcessUsage(pid);
  const started = userService?.kind === 'command' ? readStartedUsage(pid) : undefined;
  const pssBytes = pss ? readPssBytes(pid) : undefined;
  return {
    name,
    kind,
    userService: userService !== undefined,
    ...(process && { process }),
    ...(pssBytes !== undefined && { pssBytes }),
    ...(started && { started }),
  };
}
