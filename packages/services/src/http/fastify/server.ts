/** The HTTP port on Fastify. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import fastify, { type FastifyError, type FastifyReply } from 'fastify';
import { parseQuery } from '../check-parts.ts';
import { type Call, defaultBodyLimitBytes, hasBody, type RunningServer, type ServerOptions } from '../http-port.ts';
import { HttpProblem, problems } from '../http-problem.ts';
import { plainRoutes } from '../plain-routes.ts';
import { type ParsedBody, parseBody, refuseBody } from '../request-body.ts';
import { runRoute } from '../run-route.ts';
import { createRoleServer, listen } from '../server-lifecycle.ts';
import { schemaOf, validatorOf } from './route-schema.ts';

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { routes, control = [] } = options;
  // Our plug-ins cannot hang, and a timer for each slows the start.
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    pluginTimeout: 0,
    serverFactory: (handle) => createRoleServer(plainRoutes(control, handle), options),
    routerOptions: { querystringParser: parseQuery },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, request.method === 'DELETE' ? undefined : parseBody(body as Buffer));
    } catch (error) {
      done(error as HttpProblem);
    }
  });
  // A hook, since the not-found handler runs only after the body was read.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) send(reply, problems.unknownRoute.status, problems.unknownRoute.json);
    else done();
  });
  app.setErrorHandler<FastifyError | HttpProblem>((error, request, reply) => {
    const { status, json } = problemOf(error, request.routeOptions.bodyLimit ?? defaultBodyLimitBytes);
    send(reply, status, json);
  });
  for (const route of routes) {
    const limitBytes = route.bodyLimitBytes ?? defaultBodyLimitBytes;
    app.route<{ Params: { id?: string }; Querystring: Record<string, unknown> }>({
      method: route.method,
      url: route.path,
      bodyLimit: limitBytes,
      ...(route.checks && { schema: schemaOf(route.checks), validatorCompiler: validatorOf(route.checks) }),
      onRequest: (request, reply, done) => {
        const { headers } = request.raw;
        const refusal = route.refuse?.(headers) ?? (hasBody(route) ? refuseBody(headers, limitBytes) : undefined);
        if (refusal) send(reply, refusal.status, refusal.json);
        else done();
      },
      handler: (request, reply) => {
        const body = request.body as ParsedBody | undefined;
        const { headers } = request.raw;
        runRoute(
          route,
          new FastifyCall(
            request.raw,
            reply,
            body?.value,
            request.query,
            headers,
            body?.parsedAtUs ?? 0,
            request.params.id ?? '',
          ),
        );
      },
    });
  }
  await app.ready();
  return listen(app.server, options);
}

class FastifyCall implements Call {
  constructor(
    readonly request: IncomingMessage,
    private readonly reply: FastifyReply,
    readonly body: unknown,
    readonly query: Readonly<Record<string, unknown>>,
    readonly headers: IncomingHttpHeaders,
    readonly parsedAtUs: number,
    readonly parameter: string,
  ) {}

  answer(status: number, json: string, headers?: Readonly<Record<string, string>>): void {
    if (this.reply.sent || this.reply.raw.destroyed) return;
    if (headers) this.reply.headers(headers);
    send(this.reply, status, json);
  }

  takeOver(): ServerResponse {
    this.reply.hijack();
    return this.reply.raw;
  }
}

function send(reply: FastifyReply, status: number, json: string): void {
  reply.code(status);
  if (json === '') reply.send();
  else reply.header('content-type', 'application/json; charset=utf-8').send(json);
}

function problemOf(error: FastifyError | HttpProblem, limitBytes: number): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error.statusCode === 413) return problems.tooLarge(limitBytes);
  return (error.statusCode ?? 500) < 500 ? problems.brokenRequest : problems.internal;
}
