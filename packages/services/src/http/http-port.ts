/**
 * The HTTP server port of roles: a table of routes, one call per request. `fastify/`, `express/` and `node/` implement
 * it with identical behaviour, so the framework is a clean factor of an experiment.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ListenAddress } from '@topo-bench/core';
import type { HttpProblem } from './http-problem.ts';

/** A request at its handler, with the means to answer it. */
export interface Call {
  /** Parsed JSON of a POST or PUT; undefined for other methods. */
  readonly body: unknown;
  /** Query parameters by name if the route checks them; otherwise empty. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  /** Time at which the body was parsed: µs of the process's monotonic clock. */
  readonly parsedAtUs: number;
  /** Decoded value of `:id` in the path; otherwise empty. */
  readonly parameter: string;
  /** The raw request, for headers and query only. Its body must not be read. */
  readonly request: IncomingMessage;
  /**
   * Sends the answer; only the first call has an effect. `json` is JSON text, or empty for no body. Does nothing if the
   * client has disconnected.
   * @param headers in addition to the content headers; lower-case names
   */
  answer(status: number, json: string, headers?: Readonly<Record<string, string>>): void;
  /** Gives the handler the raw response for streaming. `answer` then does nothing. */
  takeOver(): ServerResponse;
}

/** Schema of a request part, with its compiled check. */
export interface RequestCheck {
  /** JSON schema, draft 7. */
  schema: object;
  /** Returns all problems of a value; none if it is valid. Fills defaults into a valid value. */
  problemsOf(value: unknown): string[];
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Literal, or ending in `/:id`. */
  path: string;
  /** An invalid request gets 400 and does not reach the handler. Checks stop after the first part with problems. */
  checks?: { params?: RequestCheck; body?: RequestCheck; querystring?: RequestCheck };
  /** Max body size. A larger body gets 413. */
  bodyLimitBytes?: number;
  /** Checks the headers before the body is read. Returns the problem of a refused request. */
  refuse?(headers: IncomingHttpHeaders): HttpProblem | undefined;
  /** An exception becomes a 500 if no answer was sent. */
  handle(call: Call): void | Promise<void>;
}

export interface ConnectionBounds {
  /**
   * Max open connections; further ones are closed on accept. Above the largest in-flight cap (8000), below the usual
   * limit of open files.
   */
  maxConnections: number;
  /** Idle timeout of a connection. Longer than any deadline, and than role clients keep an idle connection. */
  silentMs: number;
  /** Max time from the first byte of a request, or of a connection, to the last byte of the body. */
  receptionMs: number;
  /** Interval of the check for it. Node.js checks all connections at once, without a timer per request. */
  checkMs: number;
  /** Max bytes of unfinished request bodies. Enough for thousands of large bodies that arrive at once. */
  bodyBytes: number;
}

export interface ServerOptions {
  host: string;
  /** As in `ListenAddress`. */
  published?: ListenAddress['published'];
  /** 0 selects a free port. */
  port: number;
  routes: readonly Route[];
  /** Answered ahead of the framework: measuring must cost the same under every framework. */
  control?: readonly Route[];
  /** Limits of what clients send. Default: `connectionBounds`. */
  bounds?: ConnectionBounds;
}

export interface RunningServer {
  /** Base URL with the actual port. */
  url: string;
  /** Stops listening, drains open requests for up to `graceMs`, then closes every connection. */
  close(graceMs: number): Promise<void>;
}

/** Whether the server reads a body for this method. */
export function hasBody({ method }: Pick<Route, 'method'>): boolean {
  return method === 'POST' || method === 'PUT';
}

/** @throws the system's error when the address is not available */
export type StartServer = (options: ServerOptions) => Promise<RunningServer>;

/** Limit for client requests. */
export const defaultBodyLimitBytes = 1024 * 1024;
/** Limit between roles: a client request plus its flow state, with room for JSON escapes. */
export const roleBodyLimitBytes = 8 * 1024 * 1024;
