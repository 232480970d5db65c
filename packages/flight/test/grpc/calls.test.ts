import { afterEach, expect, it } from 'vitest';
import type { ClientCall } from '../../src/grpc/client-call.ts';
import { type CallOptions, GrpcChannel } from '../../src/grpc/grpc-channel.ts';
import { type GrpcHandler, GrpcServer, type GrpcServerOptions } from '../../src/grpc/grpc-server.ts';
import { FlightError } from '../../src/grpc/status.ts';

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function serve(handle: GrpcHandler, options?: GrpcServerOptions): Promise<(callOptions?: CallOptions) => ClientCall> {
  const server = new GrpcServer(new Map([['/t/Method', { handle }]]), options);
  const channel = new GrpcChannel(`http://127.0.0.1:${await server.listen()}`);
  closing.push(
    () => channel.close(0),
    () => server.close(0),
  );
  return (callOptions) => channel.call('/t/Method', callOptions);
}

it('a message of an error may have spaces at its ends, as headers may not', async () => {
  const call = await serve(async () => {
    throw new FlightError('not-found', ' no such table: ');
  });
  for (let i = 0; i < 2; i++) {
    await expect(call().done()).rejects.toMatchObject({ status: 'not-found', message: ' no such table: ' });
  }
});

it('a time limit that is longer than timers are is none', async () => {
  const call = await serve(async ({ incoming }) => void (await incoming.next()));
  const long = call({ timeoutMs: 2 ** 31 });
  setTimeout(() => long.end(), 50);
  await long.done();
});

it('a message passes a window that is smaller than the default of the protocol', async () => {
  const received: number[] = [];
  const call = await serve(
    async ({ incoming }) => {
      for await (const message of incoming) received.push(message.length);
    },
    { windows: { streamBytes: 1000, connectionBytes: 1000 } },
  );
  const upload = call();
  void upload.outgoing.send(Buffer.alloc(100_000));
  upload.end();
  await upload.done();
  expect(received).toEqual([100_000]);
});
