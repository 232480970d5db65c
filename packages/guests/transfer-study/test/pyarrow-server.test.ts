import { execFileSync } from 'node:child_process';
import { FlightClient } from '@topo-bench/arrow-flight';
import { KeptColumns, reportedColumn, SeededTable } from '@topo-bench/columns';
import type { TopoBenchError } from '@topo-bench/core';
import { arrowService } from '@topo-bench/core/schema/arrow';
import type { RecordBatch } from 'apache-arrow';
import { afterEach, describe, expect, it } from 'vitest';
import type { FlightServer } from '../src/flight-server.ts';
import { findPyarrow } from '../src/pyarrow/find-pyarrow.ts';
import { startPyarrowServer } from '../src/pyarrow/pyarrow-server.ts';

const missing =
  process.env.CI === 'true' || (await findPyarrow()) ? undefined : 'no Python with pyarrow; set TOPO_BENCH_PYTHON';
const table = arrowService.parse({
  flight: {},
  rows: 5250,
  batchRows: 1000,
  columns: [
    { name: 'id', type: 'int64' },
    { name: 'share', type: 'float64', nulls: 0.5 },
    { name: 'paid', type: 'bool', nulls: 0.1 },
    { name: 'note', type: 'text', values: ['eu', 'Zürich "1"\n'] },
    { name: 'consents', type: 'texts', values: ['mail', 'phone'] },
    { name: 'at', type: 'timestamp' },
  ],
});
const digestKey = 'key of digests';
const login = { user: 'client', password: 'to:ken' };
const signal = AbortSignal.timeout(60_000);

const valuesOf = (batches: readonly RecordBatch[]) =>
  batches.map((batch) =>
    batch
      .toArray()
      .map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value))),
  );

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

describe.skipIf(missing)(`the Flight server of pyarrow in place of a service ${missing ?? ''}`, () => {
  let server: FlightServer;
  let client: FlightClient;
  async function start(): Promise<void> {
    server = await startPyarrowServer({ service: 'table', table, seed: 7, digestKey, login, signal });
    client = new FlightClient(server.flightUrl);
  }
  afterEach(async () => {
    await client?.close(0);
    await server?.stop();
  });

  it('serves the seeded table in the requested number of parts, after a log-in', async () => {
    await start();
    const descriptor = { command: Buffer.from('{"endpoints":3}') };
    await expect(client.getFlightInfo(descriptor)).rejects.toMatchObject({ status: 'unauthenticated' });
    await expect(client.authenticateBasic('client', 'token')).rejects.toMatchObject({ status: 'unauthenticated' });
    await client.authenticateBasic('client', 'to:ken');
    const { endpoints } = await client.getFlightInfo(descriptor);
    const seeded = new SeededTable(table, 'table', 7);
    for (const [part, { ticket }] of endpoints.entries()) {
      expect(valuesOf(await all(await client.doGet(ticket)))).toEqual(
        valuesOf(await all(seeded.batches(undefined, part, 3))),
      );
    }
    expect(endpoints).toHaveLength(3);
    expect((await client.getFlightInfo({ path: ['table'] })).endpoints).toHaveLength(4);
    await expect(client.getFlightInfo({ path: ['other'] })).rejects.toThrow('there is no flight');
  });

  it('reports on an upload as our service does, so that other values give another digest', async () => {
    await start();
    await client.authenticateBasic('client', 'to:ken');
    const seeded = new SeededTable(table, 'table', 7);
    const right = new KeptColumns(
      seeded.schema.fields.map(({ name }) => name),
      digestKey,
    );
    for await (const batch of seeded.batches()) right.add(batch.numRows, batch.data.children.map(reportedColumn));
    const reportOn = async (sent: SeededTable) => {
      const writer = await client.doPut({ path: ['table'] }, sent.schema);
      for await (const batch of sent.batches()) await writer.write(batch);
      return JSON.parse(Buffer.from((await writer.finish()).at(-1) as Uint8Array).toString());
    };
    const report = right.report(5250);
    expect(await reportOn(seeded)).toEqual(report);
    expect((await reportOn(new SeededTable(table, 'table', 8))).digest).not.toBe(report.digest);
  });

  it('has its use measured until it is stopped, which is no death', async () => {
    await start();
    expect(server.identity).toEqual({ name: 'pyarrow', version: (await findPyarrow())?.version });
    if (process.platform === 'linux') {
      expect((await server.usage())?.cpuUs).toBeGreaterThan(0);
      expect((await server.reading({ pss: true }))?.pssBytes).toBeGreaterThan(1e6);
    }
    const deaths: string[] = [];
    server.onDeath(({ code }) => deaths.push(code));
    await server.stop();
    expect(deaths).toEqual([]);
    expect(await server.usage()).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('reports the signal that ended it', async () => {
    await start();
    const death = new Promise<TopoBenchError>((resolve) => server.onDeath(resolve));
    const [pid] = execFileSync('pgrep', ['-P', String(process.pid), '-f', 'pyarrow_server'])
      .toString()
      .split('\n');
    process.kill(Number(pid), 'SIGKILL');
    expect(await death).toMatchObject({
      code: 'TB_FLIGHT_SERVER_FAILED',
      message: expect.stringMatching(/^the Flight server of pyarrow was ended by SIGKILL/),
    });
  });
});
