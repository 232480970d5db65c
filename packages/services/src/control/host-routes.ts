/** Figures of this process and its machine, for runners on other machines. */
import { headers as headerNames } from '@topo-bench/core';
import { readBootId, readHostEnvironment, readOwnUsage } from '@topo-bench/host';
import type { FullConfig } from '../full-config.ts';
import type { Route } from '../http/http-port.ts';
import { tokenGuard } from '../http/token-guard.ts';

export function hostRoutes({ secrets, userService }: FullConfig): Route[] {
  const refuse = tokenGuard(headerNames.control, secrets.controlToken);
  const started = userService?.kind === 'command';
  const answers = {
    '/control/usage': () => readOwnUsage({ started }),
    '/control/usage/pss': () => readOwnUsage({ started, pss: true }),
    '/control/host': () => ({ ...readHostEnvironment(), bootId: readBootId() }),
  };
  return Object.entries(answers).map(([path, read]) => ({
    method: 'GET',
    path,
    refuse,
    handle: (call) => call.answer(200, JSON.stringify(read())),
  }));
}
