/** A gRPC server to be misused: methods that wait, count and send without end, and what was noticed of them. */
import { setImmediate as turn } from 'node:timers/promises';
import { GrpcChannel } from '@topo-bench/arrow-flight/grpc/grpc-channel';
import { type GrpcMethod, GrpcServer } from '@topo-bench/arrow-flight/grpc/grpc-server';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { encodeHeaders } from '../src/hpack/encoder.ts';
import type { HeaderField } from '../src/hpack/header-field.ts';
import { flags, frame, frameTypes } from './raw-peer.ts';

export interface Probe {
  port: number;
  server: GrpcServer;
  /** Calls that began, and those that have not ended. */
  calls: { begun: number; active: number };
  /** Makes a call as those that behave do. @throws where the server serves no more */
  check: () => Promise<void>;
}

/** Small windows, so that a flood of data is one before it is large. */
export const streamWindowBytes = 100_000;
export const mostCalls = 20;

export async function startProbe(): Promise<Probe> {
  const calls = { begun: 0, active: 0 };
  const method = (handle: GrpcMethod['handle']): GrpcMethod => ({
    handle: async (call) => {
      calls.begun += 1;
      calls.active += 1;
      try {
        await handle(call);
      } finally {
        calls.active -= 1;
      }
    },
  });
  const server = new GrpcServer(
    new Map([
      ['/t/Wait', method(({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())))],
      [
        '/t/Count',
        method(async ({ incoming, outgoing }) => {
          let messages = 0;
          for await (const _ of incoming) messages += 1;
          await outgoing.send(Buffer.from(String(messages)));
        }),
      ],
      [
        '/t/Flood',
        method(async ({ signal, outgoing }) => {
          const message = Buffer.alloc(65_536);
          while (!signal.aborted) await outgoing.send(message);
        }),
      ],
    ]),
    {
      windows: { streamBytes: streamWindowBytes, connectionBytes: 1_000_000 },
      mostConcurrentCalls: mostCalls,
      bufferBytes: 200_000,
    },
  );
  const port = await server.listen();
  const check = async (): Promise<void> => {
    const channel = new GrpcChannel(`http://127.0.0.1:${port}`);
    const call = channel.call('/t/Count', { timeoutMs: 10_000 });
    for (let i = 0; i < 3; i++) await call.outgoing.send(Buffer.alloc(1000));
    call.end();
    const { value } = await call.incoming.next();
    await call.done();
    await channel.close();
    if (Buffer.from(value ?? []).toString() !== '3') throw new Error('the server counted wrong');
  };
  return { port, server, calls, check };
}

/** A server for the tests of a file. After each of them it must still serve, and have no call left. */
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
    ['content-type', 'application/grpc'],
    ['te', 'trailers'],
    ...further,
  ];
}

/** HEADERS of a call that goes on, unless it is told to end. */
export function request(stream: number, path: string, flagBits = 0): Buffer {
  return frame(frameTypes.headers, flags.endHeaders | flagBits, stream, encodeHeaders(requestFields(path)));
}
