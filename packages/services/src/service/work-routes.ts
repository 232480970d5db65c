/**
 * The data route of a service behind an enforcement point: `POST /work`. Answers when the work is done, with digests of
 * the received payload.
 */
import { headers as headerNames } from '@topo-bench/core';
import type { RolePerformer } from '../executor/role-performer.ts';
import { type Route, roleBodyLimitBytes } from '../http/http-port.ts';
import { tokenGuard } from '../http/token-guard.ts';

export function workRoutes(performer: RolePerformer, token: string): Route[] {
  return [
    {
      method: 'POST',
      path: '/work',
      bodyLimitBytes: roleBodyLimitBytes,
      refuse: tokenGuard(headerNames.token, token),
      handle: (call) => performer.takeWork(call),
    },
  ];
}
