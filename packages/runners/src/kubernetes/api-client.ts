/**
 * Requests to the API server over connections that stay open: a deployment has hundreds of objects, and the client
 * library opens one connection for each request. Addresses and credentials are those of the library.
 */
import http from 'node:http';
import https from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { ApiError } from './api-error.ts';

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** Default: 30 s without any data. */
  timeoutMs?: number;
}

export interface WatchEvent<Item> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: Item;
}

const maxSockets = 16;
/** Exec plug-ins renew their tokens well before they expire. */
const credentialsMs = 30_000;
const answerTimeoutMs = 30_000;
/** Longer than any watch that the runner asks for. */
const silentMs = 90_000;

export class ApiClient {
  /** Address of the API server, without a trailing slash. */
  readonly server: string;
  readonly config: KubeConfig;
  #agent: http.Agent | undefined;
  #headers: { at: number; headers: Record<string, string> } | undefined;

  constructor(config: KubeConfig) {
    this.config = config;
    this.server = (config.getCurrentCluster()?.server ?? '').replace(/\/+$/, '');
  }

  /** Connections to the API server, for requests that others send. Call `headers` first. */
  get agent(): http.Agent {
    return this.#agent as http.Agent;
  }

  /** Credentials of a request; empty where the connection has them. */
  async headers(): Promise<Record<string, string>> {
    if (this.#headers && performance.now() - this.#headers.at < credentialsMs) return this.#headers.headers;
    const options: https.RequestOptions = {};
    await this.config.applyToHTTPSOptions(options);
    const { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername, auth } = options;
    const tls = { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername };
    const usesProxy = this.config.getCurrentCluster()?.proxyUrl !== undefined;
    const given = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
    // The library's agent knows the way through a proxy.
    this.#agent ??= usesProxy ? (options.agent as http.Agent) : this.#newAgent(given);
    const basic = auth ? { authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : {};
    const headers = { ...(options.headers as Record<string, string>), ...basic };
    this.#headers = { at: performance.now(), headers };
    return headers;
  }

  /**
   * @returns the parsed answer
   * @throws ApiError for a refusal; the system's error when there is no answer
   */
  async request<Answer>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    options?: RequestOptions,
  ): Promise<Answer> {
    return JSON.parse(await this.#text(method, path, body, options)) as Answer;
  }

  /** An answer that is no JSON, such as a log. */
  text(path: string, options?: RequestOptions): Promise<string> {
    return this.#text('GET', path, undefined, options);
  }

  /** Events until the server ends the watch, as it does after some minutes. */
  async *watch<Item>(path: string, signal: AbortSignal): AsyncGenerator<WatchEvent<Item>> {
    const response = await this.#send('GET', path, undefined, { signal, timeoutMs: silentMs });
    if ((response.statusCode as number) >= 300) throw refusal(response, await bodyOf(response));
    response.setEncoding('utf8');
    let rest = '';
    for await (const chunk of response) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() as string;
      for (const line of lines) if (line) yield JSON.parse(line) as WatchEvent<Item>;
    }
  }

  close(): void {
    this.#agent?.destroy();
  }

  async #text(method: string, path: string, body?: object, options?: RequestOptions): Promise<string> {
    const response = await this.#send(method, path, body, options);
    const text = await bodyOf(response);
    if ((response.statusCode as number) >= 300) throw refusal(response, text);
    return text;
  }

  async #send(
    method: string,
    path: string,
    body?: object,
    { signal, timeoutMs = answerTimeoutMs }: RequestOptions = {},
  ): Promise<http.IncomingMessage> {
    const headers = await this.headers();
    const text = body && JSON.stringify(body);
    const send = this.server.startsWith('https:') ? https.request : http.request;
    return new Promise((resolve, reject) => {
      const request = send(this.server + path, {
        method,
        agent: this.agent,
        headers: { accept: 'application/json', ...headers, ...(text && { 'content-type': 'application/json' }) },
        timeout: timeoutMs,
        ...(signal && { signal }),
      });
      request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
      request.on('error', reject);
      request.on('response', resolve);
      request.end(text);
    });
  }

  #newAgent(tls: https.AgentOptions): http.Agent {
    const options = { keepAlive: true, maxSockets };
    return this.server.startsWith('https:') ? new https.Agent({ ...options, ...tls }) : new http.Agent(options);
  }
}

async function bodyOf(response: http.IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}

function refusal({ statusCode = 0 }: http.IncomingMessage, text: string): ApiError {
  try {
    const { reason = '', message = text } = JSON.parse(text) as { reason?: string; message?: string };
    return new ApiError(statusCode, reason, message);
  } catch {
    return new ApiError(statusCode, '', text.slice(0, 300) || `status ${statusCode}`);
  }
}
