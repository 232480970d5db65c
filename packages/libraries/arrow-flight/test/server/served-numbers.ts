/** A server of numbers with a client at it, for the tests of a file; both are closed after each test. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { FlightClient } from '../../src/client/flight-client.ts';
import type { ChannelOptions } from '../../src/grpc/grpc-channel.ts';
import { FlightServer, type FlightServerOptions } from '../../src/server/flight-server.ts';
import { numbersService, type Seen } from '../numbers-service.ts';

/** What is done after each test, the last first. */
export const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

export async function serve(
  options: FlightServerOptions = {},
  channel: ChannelOptions = {},
): Promise<{ client: FlightClient; seen: Seen; server: FlightServer }> {
  const { service, seen } = numbersService();
  const server = new FlightServer(service, options);
  const client = new FlightClient(await server.listen(), channel);
  closing.push(
    () => server.close(0),
    () => client.close(0),
  );
  return { client, seen, server };
}

export const ticket = (name: string): Uint8Array => Buffer.from(name);

export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

/** Waits for what will be true. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(2);
}
