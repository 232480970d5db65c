/**
 * The data route of a service behind an enforcement point: `POST /work`. Answers when the work is done, with digests of
 * the received payload.
 */
import { headers as headerNames } from '@topo-bench/core';
import type { RoleMachine, WorkMessage } from '@topo-bench/flow';
import { type Call, type Route, roleBodyLimitBytes } from '../http/http-port.ts';
import { tokenGuard } from '../http/token-guard.ts';

export function workRoutes(machine: RoleMachine<Call>, token: string): Route[] {
  return [
    {
      method: 'POST',
      path: '/work',
      bodyLimitBytes: roleBodyLimitBytes,
      refuse: tokenGuard(headerNames.token, token),
      handle: (call) => machine.work(call, call.body as WorkMessage, call.parsedAtUs),
    },
  ];
}
