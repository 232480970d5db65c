/**
 * Data requests past the enforcement points, for runners whose network also refuses them. The gateway is the
 * enforcement point of no service, and has none of their tokens.
 */
import http from 'node:http';
import { headers as headerNames, type Probe } from '@topo-bench/core';
import type { FullConfig } from '../full-config.ts';
import type { Route } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { tokenGuard } from '../http/token-guard.ts';

/** A network that drops packets gives no answer. */
const answerTimeoutMs = 1000;

export function probeRoutes({ kind, peers, secrets }: FullConfig): Route[] {
  if (kind !== 'gateway') return [];
  const route: Route = {
    method: 'POST',
    path: '/control/probe/:id',
    refuse: tokenGuard(headerNames.control, secrets.controlToken),
    handle: async (call) => {
      const url = peers[call.parameter]?.url;
      if (url === undefined) throw new HttpProblem(404, 'unknown-peer', `no address of ${call.parameter}`);
      call.answer(200, JSON.stringify(await probe(`${url}/work`)));
    },
  };
  return [route];
}

/** Each probe opens a connection of its own: a policy does not end connections that are open. */
function probe(url: string): Promise<Probe> {
  return new Promise((resolve) => {
    const request = http.request(url, { method: 'POST', agent: false, timeout: answerTimeoutMs });
    request.on('timeout', () => request.destroy(new Error('ETIMEDOUT')));
    request.on('error', ({ code, message }: NodeJS.ErrnoException) => resolve({ error: code ?? message }));
    request.on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode as number });
    });
    request.end();
  });
}
