import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer as startExpress } from '../../src/http/express/server.ts';
import { startServer as startFastify } from '../../src/http/fastify/server.ts';
import type { Call, RunningServer } from '../../src/http/http-port.ts';
import { HttpProblem } from '../../src/http/http-problem.ts';
import { startServer as startNode } from '../../src/http/node/server.ts';
import { tokenGuard } from '../../src/http/token-guard.ts';

const json = { 'content-type': 'application/json' };

describe.each([
  ['fastify', startFastify],
  ['express', startExpress],
  ['node', startNode],
])('the HTTP port on %s', (_name, startServer) => {
  let server: RunningServer;
  let held: Call | undefined;
  let handled = 0;

  beforeAll(async () => {
    server = await startServer({
      host: '127.0.0.1',
      port: 0,
      routes: [
        { method: 'GET', path: '/health', handle: (call) => call.answer(200, '{"ok":true}') },
        { method: 'GET', path: '/seen/:id', handle: (call) => call.answer(200, JSON.stringify(call.parameter)) },
        {
          method: 'POST',
          path: '/echo',
          bodyLimitBytes: 1000,
          handle: (call) => {
            handled++;
            call.answer(201, JSON.stringify({ body: call.body, parsed: call.parsedAtUs > 0 }), {
              'x-topo-rtt-us': '7',
            });
            call.answer(500, '"a second answer"');
          },
        },
        {
          method: 'GET',
          path: '/query',
          checks: { querystring: { schema: { type: 'object' }, problemsOf: () => [] } },
          handle: (call) =>
            call.answer(
              200,
              JSON.stringify([call.query.q, new URL(call.request.url ?? '', 'http://h').searchParams.get('q')]),
            ),
        },
        { method: 'POST', path: '/empty', handle: (call) => call.answer(202, '') },
        {
          method: 'POST',
          path: '/guarded',
          refuse: tokenGuard('x-topo-token', 'right'),
          handle: (call) => call.answer(200, '1'),
        },
        {
          method: 'POST',
          path: '/throws',
          handle: () => {
            throw new HttpProblem(409, 'conflict', 'no');
          },
        },
        {
          method: 'POST',
          path: '/faulty',
          handle: async () => {
            throw new Error('secret detail');
          },
        },
        {
          method: 'POST',
          path: '/hold',
          handle: (call) => {
            held = call;
          },
        },
      ],
    });
  });
  afterAll(() => server.close(0));

  const post = (path: string, body: string, headers: Record<string, string> = json): Promise<Response> =>
    fetch(`${server.url}${path}`, { method: 'POST', headers, body });
  const told = async (response: Response): Promise<unknown[]> => [
    response.status,
    response.headers.get('content-type'),
    await response.json(),
  ];
  const jsonType = 'application/json; charset=utf-8';

  it('passes parsed JSON to the handler and answers once, with the given headers', async () => {
    const response = await post('/echo', '{"a":[1,"ü"]}');
    expect(response.headers.get('x-topo-rtt-us')).toBe('7');
    expect(await told(response)).toEqual([201, jsonType, { body: { a: [1, 'ü'] }, parsed: true }]);
  });

  it('answers without body when there is none', async () => {
    const response = await post('/empty', '{}');
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([202, '0', '']);
  });

  it('reads a query as UTF-8, and refuses any other', async () => {
    const get = async (query: string): Promise<unknown[]> => {
      const answer = await fetch(`${server.url}/query?q=${query}`);
      return [answer.status, await answer.json()];
    };
    expect(await get('f%C3%BCr+a%26%20')).toEqual([200, ['für a& ', 'für a& ']]);
    const message = 'the query is not UTF-8 with %-escapes';
    for (const query of ['f%FCr', '%C3', '%zz'])
      expect(await get(query)).toEqual([400, { error: 'malformed', message }]);
  });

  it('refuses a body with a byte order mark, or with bytes that are not UTF-8', async () => {
    const answers = async (body: Buffer): Promise<unknown> => {
      const answer = await fetch(`${server.url}/echo`, { method: 'POST', headers: json, body: new Uint8Array(body) });
      return [answer.status, await answer.json()];
    };
    const text = JSON.stringify({ purpose: 'für' });
    expect(await answers(Buffer.from(text))).toEqual([201, { body: { purpose: 'für' }, parsed: true }]);
    for (const body of [`\ufeff${text}`, '\ufeff']) {
      const message = expect.stringContaining('the body is not JSON: ');
      expect(await answers(Buffer.from(body))).toEqual([400, { error: 'malformed', message }]);
    }
    const message = 'the body is not JSON: it is not UTF-8';
    expect(await answers(Buffer.from(text, 'latin1'))).toEqual([400, { error: 'malformed', message }]);
  });

  it('ignores the query and decodes the parameter of a path', async () => {
    expect(await (await fetch(`${server.url}/health?a=b`)).json()).toEqual({ ok: true });
    expect(await (await fetch(`${server.url}/seen/a%2Fb%20c?x=1`)).json()).toBe('a/b c');
  });

  it.each([
    ['GET', '/nowhere'],
    ['GET', '/echo'],
    ['POST', '/health'],
    ['GET', '/health/'],
    ['GET', '/HEALTH'],
    ['GET', '/seen/a/b'],
    ['PUT', '/echo'],
  ])('has no route %s %s', async (method, path) => {
    const response = await fetch(`${server.url}${path}`, { method, ...(method === 'GET' ? {} : { body: '{}' }) });
    expect(await told(response)).toEqual([404, jsonType, { error: 'not-found', message: 'no such route' }]);
  });

  it('answers HEAD with 404 like any unknown route', async () => {
    expect((await fetch(`${server.url}/health`, { method: 'HEAD' })).status).toBe(404);
  });

  it.each(['{"a":', '', 'nonsense', '{"a":1}{'])('refuses the malformed body %j', async (body) => {
    const [status, type, problem] = await told(await post('/echo', body));
    expect([status, type]).toEqual([400, jsonType]);
    expect(problem).toEqual({ error: 'malformed', message: expect.stringContaining('not JSON') });
  });

  it.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=latin1' },
    { ...json, 'content-encoding': 'gzip' },
  ])('refuses the body with headers %j', async (headers) => {
    const [status, , problem] = await told(await post('/echo', '{}', headers));
    expect([status, problem]).toEqual([415, expect.objectContaining({ error: 'unsupported-media-type' })]);
  });

  it('accepts JSON with charset UTF-8', async () => {
    expect((await post('/echo', '{}', { 'content-type': 'application/json; charset=UTF-8' })).status).toBe(201);
  });

  it('accepts a body of the max size and refuses one byte more, with or without content-length', async () => {
    const exact = JSON.stringify('x'.repeat(998));
    expect((await post('/echo', exact)).status).toBe(201);
    const tooLarge = [413, jsonType, { error: 'too-large', message: 'body too large: expected at most 1000 bytes' }];
    expect(await told(await post('/echo', `${exact} `))).toEqual(tooLarge);
    const before = handled;
    const unannounced = await new Promise<number>((resolve, reject) => {
      const sending = httpRequest(`${server.url}/echo`, { method: 'POST', headers: json }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sending.on('error', reject);
      sending.write(exact);
      sending.end('   ');
    });
    expect([unannounced, handled]).toEqual([413, before]);
  });

  it('refuses by headers before it reads the body', async () => {
    const unread = '{"never read';
    expect((await post('/guarded', unread)).status).toBe(401);
    expect((await post('/guarded', unread, { ...json, 'x-topo-token': 'wrong' })).status).toBe(401);
    expect((await post('/guarded', unread, { ...json, 'x-topo-token': 'right' })).status).toBe(400);
    expect((await post('/guarded', '{}', { ...json, 'x-topo-token': 'right' })).status).toBe(200);
  });

  it('turns an exception of a handler into an answer without internal details', async () => {
    expect(await told(await post('/throws', '{}'))).toEqual([409, jsonType, { error: 'conflict', message: 'no' }]);
    const [status, , problem] = await told(await post('/faulty', '{}'));
    expect([status, problem]).toEqual([500, expect.objectContaining({ error: 'internal' })]);
    expect(JSON.stringify(problem)).not.toContain('secret');
  });

  it('survives clients that disconnect before their answer or within their body', async () => {
    const gone = new AbortController();
    const answer = fetch(`${server.url}/hold`, { method: 'POST', headers: json, body: '{}', signal: gone.signal });
    while (!held) await new Promise((resolve) => setTimeout(resolve, 1));
    gone.abort();
    await expect(answer).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 20));
    held.answer(200, '{}');
    const before = handled;
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await new Promise((resolve) =>
      socket.write(
        'POST /echo HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"a"',
        resolve,
      ),
    );
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect(handled).toBe(before);
  });

  it('keeps connections open for the next request', async () => {
    const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number>();
    for (let i = 0; i < 3; i++) {
      await new Promise<void>((resolve, reject) => {
        httpRequest(`${server.url}/health`, { agent: keepAlive }, (response) => {
          ports.add(response.socket.localPort ?? 0);
          response.resume().on('end', resolve);
        })
          .on('error', reject)
          .end();
      });
    }
    expect(ports.size).toBe(1);
    keepAlive.destroy();
  });
});

describe('control routes', () => {
  it.each([
    ['fastify', startFastify],
    ['express', startExpress],
    ['node', startNode],
  ])('are answered next to those of the framework, by method and path alone: %s', async (_name, startServer) => {
    const server = await startServer({
      host: '127.0.0.1',
      port: 0,
      routes: [{ method: 'POST', path: '/work', handle: (call) => call.answer(200, JSON.stringify(call.body)) }],
      control: [
        { method: 'GET', path: '/health', handle: (call) => call.answer(200, '"well"') },
        {
          method: 'POST',
          path: '/control/reset',
          refuse: tokenGuard('x-topo-control', 'right'),
          handle: (call) => call.answer(200, JSON.stringify(call.body)),
        },
      ],
    });
    const ask = async (method: string, path: string, headers = {}): Promise<[number, string]> => {
      const init = { method, headers: { ...json, ...headers }, ...(method === 'POST' && { body: '{"a":1}' }) };
      const response = await fetch(server.url + path, init);
      return [response.status, await response.text()];
    };
    expect(await ask('GET', '/health?now')).toEqual([200, '"well"']);
    expect(await ask('POST', '/control/reset', { 'x-topo-control': 'right' })).toEqual([200, '{"a":1}']);
    expect(await ask('POST', '/work')).toEqual([200, '{"a":1}']);
    for (const [method, path, status] of [
      ['POST', '/control/reset', 401],
      ['GET', '/control/reset', 404],
      ['POST', '/health', 404],
      ['PROPFIND', '/health', 404],
      ['GET', '/health/', 404],
    ] as const) {
      expect((await ask(method, path))[0], `${method} ${path}`).toBe(status);
    }
    await server.close(0);
  });
});

describe('start and close of a server', () => {
  it.each([
    ['fastify', startFastify],
    ['express', startExpress],
    ['node', startNode],
  ])('drains open requests, and aborts those that take longer: %s', async (_name, startServer) => {
    const calls: Call[] = [];
    const server = await startServer({
      host: '127.0.0.1',
      port: 0,
      routes: [{ method: 'GET', path: '/wait', handle: (call) => void calls.push(call) }],
    });
    const first = fetch(`${server.url}/wait`);
    const second = fetch(`${server.url}/wait`).catch(() => 'cut');
    while (calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    const closed = server.close(200);
    calls[0]?.answer(200, '1');
    expect((await first).status).toBe(200);
    expect(await second).toBe('cut');
    await closed;
  });

  it.each([
    ['an address', '127.0.0.1'],
    ['a name', 'localhost'],
  ])('listens on %s', async (_what, host) => {
    const server = await startNode({ host, port: 0, routes: [] });
    expect((await fetch(server.url)).status).toBe(404);
    await server.close(0);
  });

  it('fails at once with the system error when the port is taken', async () => {
    const first = await startNode({ host: '127.0.0.1', port: 0, routes: [] });
    const port = Number(new URL(first.url).port);
    for (const start of [startFastify, startExpress, startNode]) {
      await expect(start({ host: '127.0.0.1', port, routes: [] })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    }
    await first.close(0);
  });
});
