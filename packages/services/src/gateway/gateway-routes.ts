/** The routes of the gateway: requests of clients, and reports of roles. */
import { headers as headerNames } from '@topo-bench/core';
import { atClient } from '../control/span-recorder.ts';
import type { RolePerformer } from '../executor/role-performer.ts';
import { type Call, type Route, roleBodyLimitBytes } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { tokenGuard } from '../http/token-guard.ts';
import type { RoleParts } from '../role-parts.ts';
import { readRequest } from './read-request.ts';

type Parts = Pick<RoleParts, 'config' | 'spans' | 'clock'>;

export function gatewayRoutes({ config, spans, clock }: Parts, performer: RolePerformer): Route[] {
  return [
    { method: 'POST', path: '/requests', refuse: refuseRoleTokens, handle: accept },
    {
      method: 'POST',
      path: '/report',
      bodyLimitBytes: roleBodyLimitBytes,
      refuse: tokenGuard(headerNames.token, config.secrets.token),
      handle: (call) => performer.takeReport(call),
    },
  ];

  function accept(call: Call): void {
    const read = readRequest(call.body);
    const startUs = spans.start(read.id, clock.nowUs() - call.parsedAtUs);
    // Covers the work until the first wait: for the link or for the answer of the next hop.
    if (performer.takeRequest(call, read)) spans.end(startUs, read.id, 'work', config.name, atClient);
  }
}

/** Only roles have these tokens. A client that sends one is impersonating a role. */
function refuseRoleTokens(headers: Readonly<Record<string, unknown>>): HttpProblem | undefined {
  if (headers[headerNames.token] === undefined && headers[headerNames.control] === undefined) return undefined;
  return new HttpProblem(403, 'forbidden', 'clients of the gateway must not send tokens of roles');
}
