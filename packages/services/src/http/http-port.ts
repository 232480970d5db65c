/**
 * The HTTP server as roles see it: routes in a table, one call per request. `fastify/`, `express/` and `node/` implement it
 * with the same behaviour, so that the framework is a factor of an experiment and nothing else changes.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpProblem } from './http-problem.ts';

/** One request as it reaches a handler, and the way to answer it. */
export interface Call {
  /** The parsed JSON of a POST; undefined for GET. */
  readonly body: unknown;
  /** When the last byte of the body had been parsed: µs of the process's monotonic clock. */
  readonly parsedAtUs: number;
  /** What stands for `:id` in the path, decoded; empty otherwise. */
  readonly parameter: string;
  /**
   * Answers once. `json` is JSON text, or empty for an answer without body. Does nothing when the client has gone.
   * @param headers beyond those of the content; names in lower case
   */
  answer(status: number, json: string, headers?: Readonly<Record<string, string>>): void;
}

export interface Route {
  method: 'GET' | 'POST';
  /** Literal, or ending in `/:id`. */
  path: string;
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
}

export interface RunningServer {
  /** With the port that was taken. */
  url: string;
  /** Stops listening, lets open requests finish for at most `graceMs`, then closes every connection. */
  close(graceMs: number): Promise<void>;
}

/** @throws the system's error when the address cannot be listened on */
export type StartServer = (options: ServerOptions) => Promise<RunningServer>;

/** What a client may send. */
export const defaultBodyLimitBytes = 1024 * 1024;
/** What roles send each other: a client's request plus what has become of it, with room for JSON escapes. */
export const roleBodyLimitBytes = 8 * 1024 * 1024;
