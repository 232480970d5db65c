/** The HTTP port on Express. */
import type { IncomingHttpHeaders } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { checkParts, parseQuery, queryOf } from '../check-parts.ts';
import {
  type Call,
  defaultBodyLimitBytes,
  hasBody,
  type Route,
  type RunningServer,
  type ServerOptions,
} from '../http-port.ts';
import { HttpProblem, problems } from '../http-problem.ts';
import { plainRoutes } from '../plain-routes.ts';
import { parseBody, refuseBody } from '../request-body.ts';
import { runRoute } from '../run-route.ts';
import { createRoleServer, listen } from '../server-lifecycle.ts';

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { routes, control = [] } = options;
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  for (const route of routes) {
    const limitBytes = route.bodyLimitBytes ?? defaultBodyLimitBytes;
    const admit = (request: Request, _response: Response, next: NextFunction): void => {
      // Express answers HEAD from a GET route; the other frameworks do not.
      if (request.method !== route.method) next(problems.unknownRoute);
      else
        next(route.refuse?.(request.headers) ?? (hasBody(route) ? refuseBody(request.headers, limitBytes) : undefined));
    };
    const method = route.method.toLowerCase() as Lowercase<Route['method']>;
    if (hasBody(route)) {
      const readBytes = express.raw({ type: () => true, limit: limitBytes, inflate: false });
      app[method](route.path, admit, readBytes, (request, response) => {
        // Express leaves the field unset for an empty body.
        const { value, parsedAtUs } = parseBody(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
        handle(route, request, response, value, parsedAtUs);
      });
    } else {
      app[method](route.path, admit, (request, response) => handle(route, request, response, undefined, 0));
    }
  }
  app.use((_request: Request, response: Response) => {
    send(response, problems.unknownRoute.status, problems.unknownRoute.json);
  });
  app.use((error: BodyError | HttpProblem, _request: Request, response: Response, _next: NextFunction) => {
    const { status, json } = problemOf(error);
    if (!response.headersSent) send(response, status, json);
  });
  return listen(createRoleServer(plainRoutes(control, app), options), options);
}

/** @throws HttpProblem 400 */
function handle(route: Route, request: Request, response: Response, body: unknown, parsedAtUs: number): void {
  const { params, headers } = request;
  const query = route.checks?.querystring ? parseQuery(queryOf(request.url)) : {};
  if (route.checks) checkParts(route, { params, body, querystring: query });
  runRoute(route, new ExpressCall(request, response, body, query, headers, parsedAtUs, String(params.id ?? '')));
}

class ExpressCall implements Call {
  constructor(
    readonly request: Request,
    private readonly response: Response,
    readonly body: unknown,
    readonly query: Readonly<Record<string, unknown>>,
    readonly headers: IncomingHttpHeaders,
    readonly parsedAtUs: number,
    readonly parameter: string,
  ) {}

  answer(status: number, json: string, headers?: Readonly<Record<string, string>>): void {
    if (this.response.headersSent || this.response.destroyed) return;
    if (headers) this.response.set(headers);
    send(this.response, status, json);
  }

  takeOver(): Response {
    return this.response;
  }
}

function send(response: Response, status: number, json: string): void {
  response.status(status);
  if (json === '') response.end();
  else response.set('content-type', 'application/json; charset=utf-8').send(json);
}

/** Error of body-parser. */
interface BodyError extends Error {
  status?: number;
  limit?: number;
}

function problemOf(error: BodyError | HttpProblem): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error.status === 413) return problems.tooLarge(error.limit ?? defaultBodyLimitBytes);
  return (error.status ?? 500) < 500 ? problems.brokenRequest : problems.internal;
}
