/** Two ends that both send in bulk over one connection must not wait for each other. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FlightClient } from '../../src/client/flight-client.ts';
import type { FlightExchanger } from '../../src/client/flight-writer.ts';
import { FlightServer } from '../../src/server/flight-server.ts';
import { numbersBatch, numbersSchema, numbersService } from '../numbers-service.ts';

const batch = numbersBatch(100_000);
const messages = 20;
const rows = messages * 100_000;
const server = new FlightServer(numbersService().service);
let location: string;
beforeAll(async () => {
  location = await server.listen();
});
afterAll(() => server.close(0));

/** Sends 64 MB and reads the echo of it. @returns rows that came back */
async function echo(exchange: FlightExchanger): Promise<number> {
  const writing = (async () => {
    await exchange.begin(numbersSchema);
    for (let i = 0; i < messages; i++) await exchange.write(batch);
    exchange.end();
  })();
  let back = 0;
  for await (const chunk of exchange.chunks()) back += chunk.batch?.numRows ?? 0;
  await writing;
  return back;
}

it('exchanges bulk both ways in several calls at once', async () => {
  const client = new FlightClient(location);
  const echoes = Array.from({ length: 3 }, async () => echo(await client.doExchange({ path: ['x'] })));
  expect(await Promise.all(echoes)).toEqual([rows, rows, rows]);
  await client.close(0);
});

it('uploads and reads in bulk at once', async () => {
  const client = new FlightClient(location);
  const upload = async (): Promise<void> => {
    const writer = await client.doPut({ path: ['x'] }, numbersSchema);
    for (let i = 0; i < messages; i++) await writer.write(batch);
    await writer.finish();
  };
  const read = async (): Promise<number> => {
    let count = 0;
    for await (const { numRows } of await client.doGet(Buffer.from(`bytes ${rows * 32}`))) count += numRows;
    return count;
  };
  const [first, second] = await Promise.all([read(), read(), upload(), upload()]);
  expect([first, second]).toEqual([rows, rows]);
  await client.close(0);
});
