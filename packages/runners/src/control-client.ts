/** Client of the control routes of roles (`@topo-bench/core/control`), shared by all runners. */
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { headers, TopoBenchError } from '@topo-bench/core';

/** Addresses and token of a role, as the client needs them. */
export interface ControlTarget {
  name: string;
  url: string;
  /** Address of its control routes, if different from `url`. */
  controlUrl?: string;
  controlToken: string;
}

/** The way to roles that are not reached directly: a proxy with connections and credentials of its own. */
export interface ControlProxy {
  readonly agent: http.Agent;
  headers(): Promise<Readonly<Record<string, string>>>;
  /** How long a proxy that refuses connections may take to come back. */
  returnsWithinMs: number;
}

const pauseMs = 500;
// A saturated role answers late: its event loop handles all queued requests first.
const answerTimeoutMs = 30_000;

export class ControlClient {
  // Connections stay open, so that calls during a measurement cost the roles no handshakes. The second one is for
  // questions next to one that waits for its answer.
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
  private readonly proxy: ControlProxy | undefined;

  constructor(proxy?: ControlProxy) {
    this.proxy = proxy;
  }

  /**
   * One request to one role.
   * @param body of a POST
   * @returns the parsed answer; undefined when it has no body
   * @throws TopoBenchError `TB_ROLE_NO_ANSWER`
   */
  async ask<Answer>(
    role: ControlTarget,
    method: 'GET' | 'POST',
    path: string,
    signal?: AbortSignal,
    body: unknown = {},
  ): Promise<Answer> {
    const giveUpAt = performance.now() + (this.proxy?.returnsWithinMs ?? 0);
    for (;;) {
      try {
        return await this.askOnce<Answer>(role, method, path, signal, body);
      } catch (error) {
        // A refused connection has reached no role, so that even a POST may be repeated.
        const isDown = codeOf(error) === 'ECONNREFUSED';
        if (!this.proxy || !isDown || performance.now() > giveUpAt) throw error;
        await sleep(pauseMs, undefined, signal && { signal });
      }
    }
  }

  private async askOnce<Answer>(
    role: ControlTarget,
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal | undefined,
    body: unknown,
  ): Promise<Answer> {
    const proxyHeaders = await this.proxy?.headers();
    const url = (role.controlUrl ?? role.url) + path;
    const send = url.startsWith('https:') ? https.request : http.request;
    return new Promise((resolve, reject) => {
      const fail = (problem: string, cause?: unknown): void => {
        const message = `${role.name} (${role.url}) gave no answer to ${method} ${path}: ${problem}`;
        const hint = `the end of ${role.name}.log may say why`;
        reject(new TopoBenchError('TB_ROLE_NO_ANSWER', message, { hint, cause }));
      };
      const request = send(url, {
        method,
        agent: this.proxy?.agent ?? this.agent,
        headers: {
          ...proxyHeaders,
          [headers.control]: role.controlToken,
          ...(method === 'POST' && { 'content-type': 'application/json' }),
        },
        timeout: answerTimeoutMs,
        ...(signal && { signal }),
      });
      request.on('timeout', () => request.destroy(new Error(`nothing within ${answerTimeoutMs / 1000} s`)));
      request.on('error', (error) => fail(error.message, error));
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', (error) => fail(error.message, error));
        response.on('end', () => {
          if ((response.statusCode as number) >= 300)
            return fail(`status ${response.statusCode}: ${text.slice(0, 200)}`);
          try {
            resolve((text === '' ? undefined : JSON.parse(text)) as Answer);
          } catch (error) {
            fail(`no JSON: ${text.slice(0, 200)}`, error);
          }
        });
      });
      // Roles read a JSON body of every POST, whatever the route.
      request.end(method === 'POST' ? JSON.stringify(body) : undefined);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function codeOf(error: unknown): string | undefined {
  return ((error as TopoBenchError).cause as NodeJS.ErrnoException | undefined)?.code;
}
