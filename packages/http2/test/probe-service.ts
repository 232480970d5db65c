/**
 * An HTTP/2 server to be misused, with paths that wait, count bytes and send without end, and a record of its
 * streams.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { encodeHeaders } from '../src/hpack/encoder.ts';
import type { HeaderField } from '../src/hpack/field.ts';
import { type Headers, Http2Client, Http2Server, type Http2Stream, readMessage } from '../src/index.ts';
import { flags, frame, frameTypes } from './raw-peer.ts';

export interface Probe {
  port: number;
  server: Http2Server;
  /** Streams that began, and those that have not ended. */
  calls: { begun: number; active: number };
  /** Makes a well-formed request. @throws when the server no longer serves */
  check: () => Promise<void>;
}

/** Small windows, so that a flood of data is noticed before it is large. */
export const streamWindowBytes = 100_000;
export const maxCalls = 20;

const answer = { ':status': '200' };
const ignored = { take: () => {}, space: () => undefined, filled: () => {} };

/** Consumes nothing until the client resets the stream. */
function wait(stream: Http2Stream, onOver: () => void): void {
  stream.events = { sink: ignored, onHeaders: () => {}, onEnd: () => {}, onSent: () => {}, onReset: onOver };
  stream.hold(true);
}

/** Answers with the number of bytes of the request. */
function count(stream: Http2Stream, onOver: () => void): void {
  const counted = async (): Promise<void> => {
    const { body } = await readMessage(stream);
    stream.sendHeaders(answer);
    stream.write([Buffer.from(String(body.length))]);
    stream.end();
  };
  counted().then(onOver, onOver);
}

/** Sends as fast as the client reads. */
function flood(stream: Http2Stream, onOver: () => void): void {
  const message = Buffer.alloc(65_536);
  const send = (): void => {
    while (!stream.isSendingOver && stream.queuedBytes < 200_000) stream.write([message]);
  };
  stream.events = { sink: ignored, onHeaders: () => {}, onEnd: () => {}, onSent: send, onReset: onOver };
  stream.sendHeaders(answer);
  send();
}

const handlers: Readonly<Record<string, typeof wait>> = { '/t/Wait': wait, '/t/Count': count, '/t/Flood': flood };

export async function startProbe(): Promise<Probe> {
  const calls = { begun: 0, active: 0 };
  const onStream = (stream: Http2Stream, headers: Headers): void => {
    const handle = handlers[headers[':path'] ?? ''];
    if (!handle) {
      stream.end({ ':status': '404' });
      return;
    }
    calls.begun += 1;
    calls.active += 1;
    handle(stream, () => {
      calls.active -= 1;
    });
  };
  const server = new Http2Server(onStream, {
    windows: { streamBytes: streamWindowBytes, connectionBytes: 1_000_000 },
    maxConcurrentStreams: maxCalls,
  });
  const port = await server.listen();
  const check = async (): Promise<void> => {
    const client = new Http2Client(`http://127.0.0.1:${port}`);
    const stream = client.request({ ':path': '/t/Count' });
    for (let i = 0; i < 3; i++) stream.write([Buffer.alloc(1000)]);
    stream.end();
    const { body } = await readMessage(stream);
    await client.close();
    if (body.toString() !== '3000') throw new Error(`the server counted ${body}, expected 3000`);
  };
  return { port, server, calls, check };
}

/** A server for the tests of a file. After each test it must still serve, and have no stream left. */
export function useProbe(): Probe {
  const used = {} as Probe;
  beforeAll(async () => {
    Object.assign(used, await startProbe());
  });
  afterEach(async () => {
    await used.check();
    while (used.calls.active > 0) await turn();
  });
  afterAll(() => used.server.close(0));
  return used;
}

export function requestFields(path: string, ...further: HeaderField[]): HeaderField[] {
  return [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', path],
    [':authority', 'localhost'],
    ['content-type', 'application/octet-stream'],
    ['te', 'trailers'],
    ...further,
  ];
}

/** HEADERS that open a stream; the flags may end it. */
export function request(stream: number, path: string, flagBits = 0): Buffer {
  return frame(frameTypes.headers, flags.endHeaders | flagBits, stream, encodeHeaders(requestFields(path)));
}
