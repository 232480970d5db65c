/**
 * Whether a user-supplied service checks its token: two calls as of a caller that bypasses enforcement. The body is an
 * empty object, so that no probe carries data which the rules would withhold.
 */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { headers as headerNames, type UncheckedCall } from '@topo-bench/core';

const answerTimeoutMs = 1000;

/**
 * @param url that requests are posted to
 * @param token the right one
 * @returns the call that the service answered with 2xx; undefined if it refused both
 */
export async function uncheckedCall(url: string, token: string): Promise<UncheckedCall | undefined> {
  if (await accepts(url, {})) return 'without a token';
  // The length of the right one: a comparison in constant time throws for others.
  const wrong = [...token].map((character) => (character === 'x' ? 'y' : 'x')).join('');
  return (await accepts(url, { [headerNames.token]: wrong })) ? 'with a wrong token' : undefined;
}

function accepts(url: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  const { request: send } = url.startsWith('https:') ? https : http;
  const body = '{}';
  return new Promise((resolve) => {
    const request = send(url, {
      method: 'POST',
      agent: false,
      timeout: answerTimeoutMs,
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        [headerNames.requestId]: randomUUID(),
        ...headers,
      },
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', () => resolve(false));
    request.on('response', (response) => {
      const { statusCode = 0 } = response;
      resolve(statusCode >= 200 && statusCode < 300);
      // The body may never end.
      response.destroy();
    });
    request.end(body);
  });
}
