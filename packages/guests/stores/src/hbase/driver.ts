/** Connections to an HBase REST server: HTTP, one request at a time on each. */
import { Agent, type ClientRequest, type IncomingMessage, request as newRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { ConnectionDriver } from '../connection-pool.ts';

export interface RestRequest {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Path and query. */
  path: string;
  /** JSON. */
  body?: string;
  /** Form of the answer. Default: JSON. */
  accept?: string;
  /** Statuses without an error. Default: 200. */
  expected?: readonly number[];
}

export interface RestAnswer {
  status: number;
  text: string;
  /** Path of what the request has created. */
  location: string | undefined;
}

/** An answer of the REST server with a status that the caller does not expect. */
export class RestError extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`HTTP ${status}: ${reasonIn(text)}`);
    this.name = 'RestError';
  }
}

const defaultPort = 8080;
const maxReasonLength = 300;

/** The first exception of a stack trace, or the first line. */
function reasonIn(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const reason = lines.find((line) => /\w(Exception|Error)\b/.test(line)) ?? lines.find(Boolean) ?? 'no reason given';
  return reason.slice(0, maxReasonLength);
}

/** Below the 30 s of the REST server: it must not close a connection that a request is about to use. */
const idleMs = 5000;

export class HBaseConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: idleMs });
  readonly #address: { host: string; port: number };
  readonly #authorization: { authorization?: string };
  #request: ClientRequest | undefined;
  #isOpen = true;

  /** Connects with its first request. @param url `hbase://user:password@host:port/table` */
  constructor(url: string) {
    const { hostname, port, username, password } = new URL(url);
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.#authorization = username === '' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
    this.#address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || defaultPort) };
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** @throws RestError for an unexpected status; the client's error without an answer */
  async send({ method, path, body, accept, expected = [200] }: RestRequest): Promise<RestAnswer> {
    const headers = {
      accept: accept ?? 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...this.#authorization,
    };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      this.#request = newRequest({ ...this.#address, agent: this.#agent, method, path, headers }, resolve);
      this.#request.on('error', reject).end(body);
    });
    const [status, text] = [response.statusCode as number, await textOf(response)];
    if (!expected.includes(status)) throw new RestError(status, text);
    const { location } = response.headers;
    return { status, text, location: location && new URL(location).pathname };
  }

  /** Ends the request in flight with this error. */
  close(error?: Error): void {
    this.#isOpen = false;
    this.#request?.destroy(error);
    this.#agent.destroy();
  }
}

export function hbaseDriver(url: string): ConnectionDriver<HBaseConnection> {
  return {
    connect: async () => new HBaseConnection(url),
    isOpen: ({ isOpen }) => isOpen,
    disconnect: (connection) => connection.close(),
    isUnavailable,
  };
}

/** Runs one operation on a connection of its own, which ends it when it is late. @throws the client's error */
export async function withConnection<T>(
  url: string,
  timeoutMs: number,
  operation: (connection: HBaseConnection) => Promise<T>,
): Promise<T> {
  const connection = new HBaseConnection(url);
  const timer = setTimeout(() => connection.close(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await operation(connection);
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}

/** The REST server is gone, or it does not reach the cluster. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof RestError) return error.status >= 500;
  return /^(E[A-Z]+|HPE_\w+)$/.test(String((error as NodeJS.ErrnoException).code));
}

/** The table has been removed, or is about to be. */
export function isGone(error: unknown): boolean {
  return error instanceof RestError && (error.status === 404 || /TableNotEnabledException/.test(error.message));
}
