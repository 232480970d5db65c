import { afterEach, beforeEach, expect, it } from 'vitest';
import { Http2Client, Http2Server, type Http2Stream, readMessage } from '../src/index.ts';

let server: Http2Server;
let client: Http2Client;
let respond: (stream: Http2Stream) => void;

beforeEach(async () => {
  server = new Http2Server((stream) => respond(stream));
  client = new Http2Client(`http://127.0.0.1:${await server.listen()}`);
});
afterEach(async () => {
  await client.close(0);
  await server.close(0);
});

function send(): Http2Stream {
  const stream = client.request({ ':path': '/' });
  stream.end();
  return stream;
}

it('gives headers, body and trailers of a response', async () => {
  respond = (stream) => {
    stream.sendHeaders({ ':status': '200', 'x-head': 'a' });
    stream.write([Buffer.from('body')]);
    stream.end({ 'x-tail': 'z' });
  };
  const { headers, body, trailers } = await readMessage(send());
  expect([headers['x-head'], body.toString(), trailers['x-tail']]).toEqual(['a', 'body', 'z']);
});

it('gives the trailers of a request, whose headers the handler has', async () => {
  const request = new Promise<Awaited<ReturnType<typeof readMessage>>>((resolve, reject) => {
    respond = (stream) => readMessage(stream).then(resolve, reject);
  });
  const stream = client.request({ ':path': '/' });
  stream.write([Buffer.from('body')]);
  stream.end({ 'x-tail': 'z' });
  const { headers, body, trailers } = await request;
  expect([headers, body.toString(), trailers['x-tail']]).toEqual([{}, 'body', 'z']);
  stream.reset(8);
});

it('rejects a body above the limit, and resets the stream', async () => {
  const reset = new Promise<number>((resolve) => {
    respond = (stream) => {
      const sink = { take: () => {}, space: () => undefined, filled: () => {} };
      stream.events = {
        sink,
        onHeaders: () => {},
        onEnd: () => {},
        onSent: () => {},
        onReset: ({ code }) => resolve(code),
      };
      stream.sendHeaders({ ':status': '200' });
      stream.write([Buffer.alloc(1001)]);
    };
  });
  await expect(readMessage(send(), 1000)).rejects.toMatchObject({ name: 'Http2Error', code: 'HTTP2_TOO_LARGE' });
  expect(await reset).toBe(8);
});

it('rejects when the peer resets the stream, and when no peer is there', async () => {
  respond = (stream) => stream.reset(11);
  await expect(readMessage(send())).rejects.toMatchObject({
    code: 'HTTP2_RESET',
    message: 'the stream ended early: HTTP/2 code 11',
  });
  const nowhere = new Http2Client('http://127.0.0.1:1');
  await expect(readMessage(nowhere.request({ ':path': '/' }))).rejects.toThrow('ECONNREFUSED');
  await nowhere.close(0);
});
