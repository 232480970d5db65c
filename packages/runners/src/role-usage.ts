/** What runners state of the resources of a role. */
import type { RoleConfig } from '@topo-bench/core';
import type { RoleUsage } from './runner.ts';

type Figures = Pick<RoleUsage, 'process' | 'pssBytes' | 'started' | 'throttling'>;

/** @param figures undefined where the host does not report one */
export function roleUsage(
  { name, kind, userService }: Pick<RoleConfig, 'name' | 'kind' | 'userService'>,
  { process, pssBytes, started, throttling }: { [Name in keyof Figures]: Figures[Name] | undefined } = {},
): RoleUsage {
  return {
    ...{ name, kind, userService: userService !== undefined },
    ...(process && { process }),
    ...(pssBytes !== undefined && { pssBytes }),
    ...(started && { started }),
    ...(throttling && { throttling }),
  };
}
