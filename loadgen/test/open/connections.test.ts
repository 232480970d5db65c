import { expect, it } from 'vitest';
import { Connections } from '../../src/open/connections.ts';
import { requestMessage } from '../../src/open/request-message.ts';
import { serve } from '../fixtures/server.ts';

it.each([
  ['uses a connection again that the server keeps for a second', 'timeout=1', { opened: 1, onDemand: 0 }],
  ['opens one for each request where the server closes', undefined, { opened: 20, onDemand: 19 }],
])('a pool %s', async (_what, announced, counts) => {
  const url = new URL(
    await serve((response) => {
      if (announced === undefined) response.setHeader('connection', 'close');
      else response.setHeader('keep-alive', announced);
      response.end();
    }),
  );
  const connections = new Connections(url);
  await connections.open(1);
  const message = requestMessage(url, 'GET', [])(undefined);
  for (let i = 0; i < 20; i++) {
    const connection = connections.take();
    await new Promise((onResponse, onError) => connection.send('GET', message, { onResponse, onError }));
    connections.give(connection);
  }
  expect(connections.counts).toEqual(counts);
  connections.destroy();
});
