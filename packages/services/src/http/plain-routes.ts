/** Routing on bare `node:http`: all routes of that framework, and the control routes of every framework. */
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { checkParts, parseQuery, queryOf } from './check-parts.ts';
import { type Call, defaultBodyLimitBytes, hasBody, type Route } from './http-port.ts';
import { HttpProblem, problems } from './http-problem.ts';
import { type ParsedBody, parseBody, refuseBody } from './request-body.ts';
import { runRoute } from './run-route.ts';

/** @param otherwise handles requests without a matching route */
export function plainRoutes(routes: readonly Route[], otherwise: RequestListener): RequestListener {
  const literal = new Map<string, Route>();
  const byPrefix: { start: string; route: Route }[] = [];
  for (const route of routes) {
    const key = `${route.method} ${route.path}`;
    if (key.endsWith('/:id')) byPrefix.push({ start: key.slice(0, -':id'.length), route });
    else literal.set(key, route);
  }
  return (request, response) => {
    const [path, query = ''] = (request.url as string).split('?', 2);
    // Parsers of queries would replace bytes that are not UTF-8, and rules would see another text.
    if (query.includes('%') && decode(query) === '') {
      refuse(response, problems.brokenQuery);
      return;
    }
    const key = `${request.method} ${path}`;
    const route = literal.get(key);
    if (route) {
      take(request, response, route, '');
      return;
    }
    const prefixed = byPrefix.find(({ start }) => key.startsWith(start) && !key.includes('/', start.length));
    const parameter = prefixed ? decode(key.slice(prefixed.start.length)) : '';
    if (prefixed && parameter) take(request, response, prefixed.route, parameter);
    else otherwise(request, response);
  };
}

export function refuseUnknown(_request: IncomingMessage, response: ServerResponse): void {
  refuse(response, problems.unknownRoute);
}

function take(request: IncomingMessage, response: ServerResponse, route: Route, parameter: string): void {
  const limitBytes = route.bodyLimitBytes ?? defaultBodyLimitBytes;
  const refusal =
    route.refuse?.(request.headers) ?? (hasBody(route) ? refuseBody(request.headers, limitBytes) : undefined);
  if (refusal) refuse(response, refusal);
  else if (!hasBody(route)) handle(request, response, route, parameter, () => ({ value: undefined, parsedAtUs: 0 }));
  else {
    readBytes(request, limitBytes, (body) => {
      handle(request, response, route, parameter, () => {
        if (body === undefined) throw problems.tooLarge(limitBytes);
        return parseBody(body);
      });
    });
  }
}

function handle(
  request: IncomingMessage,
  response: ServerResponse,
  route: Route,
  parameter: string,
  readBody: () => ParsedBody,
): void {
  try {
    const { value, parsedAtUs } = readBody();
    const query = route.checks?.querystring ? parseQuery(queryOf(request.url)) : {};
    if (route.checks) checkParts(route, { params: { id: parameter }, body: value, querystring: query });
    runRoute(route, new NodeCall(request, response, value, query, request.headers, parsedAtUs, parameter));
  } catch (error) {
    refuse(response, error instanceof HttpProblem ? error : problems.internal);
  }
}

/** @param done gets the body, or undefined if it is too large; never called if the client disconnects early */
function readBytes(request: IncomingMessage, limitBytes: number, done: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(chunk);
  });
  request.on('end', () => {
    if (bytes > limitBytes) done(undefined);
    else done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
  });
  request.on('error', () => {});
}

class NodeCall implements Call {
  constructor(
    readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly body: unknown,
    readonly query: Readonly<Record<string, unknown>>,
    readonly headers: IncomingHttpHeaders,
    readonly parsedAtUs: number,
    readonly parameter: string,
  ) {}

  answer(status: number, json: string, headers?: Readonly<Record<string, string>>): void {
    send(this.response, status, json, headers);
  }

  takeOver(): ServerResponse {
    return this.response;
  }
}

export function refuse(
  response: ServerResponse,
  { status, json }: HttpProblem,
  headers?: Readonly<Record<string, string>>,
): void {
  send(response, status, json, headers);
}

function send(
  response: ServerResponse,
  status: number,
  json: string,
  headers?: Readonly<Record<string, string>>,
): void {
  if (response.headersSent || response.destroyed) return;
  const content =
    json === ''
      ? { 'content-length': 0 }
      : { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(json) };
  response.writeHead(status, { ...headers, ...content });
  response.end(json);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
