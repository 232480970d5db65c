/** The data routes of an executor: flows handed over to it, and reports on the branches that it waits for. */
import { headers as headerNames } from '@topo-bench/core';
import type { FlowMessage, Outcome, RoleMachine } from '@topo-bench/flow';
import { type Call, type Route, roleBodyLimitBytes } from '../http/http-port.ts';
import { tokenGuard } from '../http/token-guard.ts';

export function flowRoutes(machine: RoleMachine<Call>, token: string): Route[] {
  const common = { method: 'POST', bodyLimitBytes: roleBodyLimitBytes } as const;
  const refuse = tokenGuard(headerNames.token, token);
  return [
    {
      ...common,
      path: '/flow',
      refuse,
      handle: (call) => machine.flow(call, call.body as FlowMessage, call.parsedAtUs),
    },
    {
      ...common,
      path: '/report',
      refuse,
      handle: (call) => machine.report(call, call.body as Outcome, call.parsedAtUs),
    },
  ];
}
