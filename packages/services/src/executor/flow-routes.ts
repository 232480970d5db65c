/** The data routes of an executor: flows handed over to it, and reports on the branches that it waits for. */
import { headers as headerNames } from '@topo-bench/core';
import { type Route, roleBodyLimitBytes } from '../http/http-port.ts';
import { tokenGuard } from '../http/token-guard.ts';
import type { RolePerformer } from './role-performer.ts';

export function flowRoutes(performer: RolePerformer, token: string): Route[] {
  const common = { method: 'POST', bodyLimitBytes: roleBodyLimitBytes } as const;
  const refuse = tokenGuard(headerNames.token, token);
  return [
    {
      ...common,
      path: '/flow',
      refuse,
      handle: (call) => performer.takeFlow(call),
    },
    {
      ...common,
      path: '/report',
      refuse,
      handle: (call) => performer.takeReport(call),
    },
  ];
}
