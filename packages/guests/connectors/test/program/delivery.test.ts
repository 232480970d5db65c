/** The delivery of a connector to a converter: it ends when the converter has read everything, not before. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadTable, storeSalesData } from '@topo-bench/sources';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/fixtures/small-files.ts';
import { createLauncher } from '../../src/launch/launchers.ts';
import { requireWhole } from '../../src/launch/require-whole.ts';
import { configured, discoverStream } from '../fixtures/run-connector.ts';

const launcher = await createLauncher('process', { builtFolder: join(import.meta.dirname, '../../../../cli/dist') });
const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
afterAll(async () => {
  await launcher.close();
  server.close();
});

async function deliver(): Promise<{ socket: Socket; program: Awaited<ReturnType<typeof launcher.launch>> }> {
  const file = join(temporaryFolder(), 'sales.parquet');
  await loadTable({ kind: 'parquet', file }, storeSalesData({ rows: 10, seed: 1 }));
  const config = { files: [file] };
  const catalog = configured(await discoverStream('parquet', config, 'sales'));
  const address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port, token: 'abc' };
  const documents = { 'config.json': config, 'catalog.json': catalog, 'delivery.json': address };
  const connected = once(server, 'connection');
  const program = await launcher.launch({
    program: 'connector',
    args: (pathOf) => [
      ...['parquet', 'read', '--config', pathOf('config.json'), '--catalog', pathOf('catalog.json')],
      ...['--deliver-to', pathOf('delivery.json')],
    ],
    files: Object.fromEntries(Object.entries(documents).map(([name, document]) => [name, JSON.stringify(document)])),
  });
  void (async () => {
    for await (const _ of program.output);
  })();
  const [socket] = (await connected) as [Socket];
  return { socket, program };
}

it('runs until a slow converter has read and closed', async () => {
  const { socket, program } = await deliver();
  await sleep(1000);
  // All of it fits into buffers of the kernel, which a container loses with its network.
  expect(program.marks.endedMs).toBeUndefined();
  const lines = (await text(socket)).trimEnd().split('\n');
  expect(lines.filter((line) => line.includes('"RECORD"'))).toHaveLength(10);
  expect(lines.at(-1)).toContain('"COMPLETE"');
  requireWhole('the connector', await program.ended);
});

it('fails when the converter goes before it has read everything', async () => {
  const { socket, program } = await deliver();
  socket.destroy();
  expect(await program.ended).toMatchObject({ exitCode: 1, failure: expect.stringMatching(/converter|ECONNRESET/) });
});
