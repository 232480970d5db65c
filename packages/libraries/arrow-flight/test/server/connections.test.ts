import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { FlightClient } from '../../src/client/flight-client.ts';
import { FlightServer } from '../../src/server/flight-server.ts';

it('a server refuses connections beyond its limit, and serves the others', async () => {
  const server = new FlightServer({ listFlights: async function* () {} }, { maxConnections: 3 });
  const url = await server.listen(0, '127.0.0.1');
  const client = new FlightClient(url);
  const sockets = [];
  try {
    expect((await client.listFlights().next()).done).toBe(true);
    const port = Number(new URL(url.replace('grpc+tcp', 'http')).port);
    for (let number = 0; number < 2; number++) {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'data');
    }
    const refused = connect(port, '127.0.0.1');
    sockets.push(refused);
    refused.on('error', () => {});
    await once(refused, 'close');
    expect(refused.bytesRead).toBe(0);
    expect((await client.listFlights().next()).done).toBe(true);
  } finally {
    for (const socket of sockets) socket.destroy();
    await client.close(0);
    await server.close(0);
  }
});

it('a server closes an idle connection at its timeout, and keeps an active one', async () => {
  const server = new FlightServer({ listFlights: async function* () {} }, { idleTimeoutMs: 400 });
  const url = await server.listen(0, '127.0.0.1');
  const client = new FlightClient(url);
  const silent = connect(Number(new URL(url.replace('grpc+tcp', 'http')).port), '127.0.0.1');
  silent.on('error', () => {});
  try {
    const closed = once(silent.resume(), 'close');
    const asking = setInterval(() => void client.listFlights().next(), 50);
    await closed;
    clearInterval(asking);
    expect((await client.listFlights().next()).done).toBe(true);
  } finally {
    silent.destroy();
    await client.close(0);
    await server.close(0);
  }
});
