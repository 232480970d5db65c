/**
 * The HTTP server as roles see it: routes in a table, one call per request. `fastify/`, `express/` and `node/` implement it
 * with the same behaviour, so that the framework is a factor of an experiment and nothing else changes.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { HttpProblem } from './http-problem.ts';

/** One request as it reaches a handler, and the way to answer it. */
export interface Call {
  /** The parsed JSON of a POST or PUT; undefined for others. */
  readonly body: unknown;
  /** Parameters of the query by name, where the route checks them; empty otherwise. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  /** When the last byte of the body had been parsed: µs of the process's monotonic clock. */
  readonly parsedAtUs: number;
  /** What stands for `:id` in the path, decoded; empty otherwise. */
  readonly parameter: string;
  /** As it came: for its headers and its query. The body is not to be read from it. */
  readonly request: IncomingMessage;
  /**
   * Answers once. `json` is JSON text, or empty for an answer without body. Does nothing when the client has gone.
   * @param headers beyond those of the content; names in lower case
   */
  answer(status: number, json: string, headers?: Readonly<Record<string, string>>): void;
  /** Hands the answer over to a handler that streams it; `answer` does nothing after that. */
  takeOver(): ServerResponse;
}

/** Schema of a part of a request, and the check that it stands for. */
export interface RequestCheck {
  /** JSON schema, draft 7. */
  schema: object;
  /** All problems of a value, none when it is valid; then defaults have been filled into it. */
  problemsOf(value: unknown): string[];
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Literal, or ending in `/:id`. */
  path: string;
  /** What is not valid is answered with 400 and never reaches the handler. Checked in this order, up to a part with problems. */
  checks?: { params?: RequestCheck; body?: RequestCheck; querystring?: RequestCheck };
  /** Bytes of body at most; beyond: 413. */
  bodyLimitBytes?: number;
  /** Says why a request is refused by its headers alone, before its body is read; undefined admits it. */
  refuse?(headers: IncomingHttpHeaders): HttpProblem | undefined;
  /** What it throws becomes a 500, unless it has answered. */
  handle(call: Call): void | Promise<void>;
}

export interface ServerOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  routes: readonly Route[];
  /** Answered before the framework sees a request: what asks for them measures, and should cost the same with all. */
  control?: readonly Route[];
}

export interface RunningServer {
  /** With the port that was taken. */
  url: string;
  /** Stops listening, lets open requests finish for at most `graceMs`, then closes every connection. */
  close(graceMs: number): Promise<void>;
}

/** Whether requests of that method carry a body that is read. */
export function hasBody({ method }: Pick<Route, 'method'>): boolean {
  return method === 'POST' || method === 'PUT';
}

/** @throws the system's error when the address cannot be listened on */
export type StartServer = (options: ServerOptions) => Promise<RunningServer>;

/** What a client may send. */
export const defaultBodyLimitBytes = 1024 * 1024;
/** What roles send each other: a client's request plus what has become of it, with room for JSON escapes. */
export const roleBodyLimitBytes = 8 * 1024 * 1024;
