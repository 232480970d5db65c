import { afterEach, describe, expect, it, vi } from 'vitest';
import { driverNamed } from '../../src/driver-named.ts';
import type { TransferRequest } from '../../src/flight/transfer.ts';
import { launcherNamed } from '../../src/launcher/launchers.ts';
import type { LoadJob } from '../../src/load-job.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { DrainEnd } from '../fixtures/drain-end.ts';
import { jobFor } from '../fixtures/server.ts';
import { rowBytes, rows, serveFlight, serveJson, table } from './table-service.ts';

const worker = builtWorker();

const plain: TransferRequest = {
  kind: 'transfer',
  protocol: 'flight',
  operation: 'get',
  streams: 1,
  service: 'table',
  table,
  tableSeed: 1,
  digestKey: 'key of digests',
  warmup: { windowUs: 20_000, maxUs: 0, change: 0.5 },
};

function transfer(url: string, changes: Partial<TransferRequest> = {}, job: Partial<LoadJob> = {}, drain?: DrainEnd) {
  const request = { ...plain, ...changes };
  return driverNamed('flight', launcherNamed('processes', { workerPath: worker.path })).run(
    jobFor(url, { request, durationUs: 20_000_000, ...job }),
    undefined,
    drain,
  );
}

describe('driver flight, getting', () => {
  it('reads every part once, counts rows and bytes of columns, and times the first batch', async () => {
    const { url, seen } = await serveFlight();
    const drain = new DrainEnd();
    const load = await transfer(url, { streams: 4 }, {}, drain);
    expect(drain.sinceLastAnswerUs(load)).toBeGreaterThan(0);
    const { transferred, samples, sent } = load;
    expect(seen.gets.sort()).toEqual(['0/4', '1/4', '2/4', '3/4']);
    expect(transferred?.streams.map(({ stream }) => stream)).toEqual([0, 1, 2, 3]);
    for (const { rows: moved, bytes, firstBatchUs, wrong, checked, error } of transferred?.streams ?? []) {
      expect({ moved, bytes, wrong, error }).toEqual({
        moved: rows / 4,
        bytes: (rows / 4) * rowBytes,
        wrong: 0,
        error: undefined,
      });
      expect(checked).toBeGreaterThan(0);
      expect(firstBatchUs).toBeGreaterThan(0);
    }
    expect(sent).toBe(4);
    expect([...samples.status]).toEqual([200, 200, 200, 200]);
    for (const [stream, doneUs] of samples.doneUs.entries()) {
      expect(doneUs - (samples.sentUs[stream] as number)).toBeGreaterThan(
        transferred?.streams[stream]?.firstBatchUs as number,
      );
    }
  });

  it('distributes its streams to several processes', async () => {
    const { url, seen } = await serveFlight();
    const { transferred, generators } = await transfer(url, { streams: 3 }, { processes: 2 });
    expect(generators).toHaveLength(2);
    expect(seen.gets.sort()).toEqual(['0/3', '1/3', '2/3']);
    expect(transferred?.streams.reduce((sum, stream) => sum + stream.rows, 0)).toBe(rows);
  });

  it('finds a batch with wrong values', async () => {
    const { url } = await serveFlight({ wrongBatch: 20 });
    const { transferred } = await transfer(url, { streams: 2 });
    expect(transferred?.streams.map(({ wrong }) => wrong)).toEqual([0, 1]);
    expect(transferred?.streams[1]?.wrongExample).toBe('column a of row 0 of batch 20 is 1, expected 0');
  });

  it('counts arrived rows when others are missing', async () => {
    const { url } = await serveFlight({ missingBatches: 1 });
    const { transferred } = await transfer(url);
    expect(transferred?.streams).toMatchObject([
      { rows: rows - 100, wrong: 100, wrongExample: 'the last 100 rows are missing' },
    ]);
  });

  it('reports which streams failed, how, and what had arrived until then', async () => {
    const { url } = await serveFlight({ failAfter: 3 });
    const { transferred, samples } = await transfer(url);
    expect(transferred?.streams).toMatchObject([
      { rows: 300, error: { kind: 'unavailable', message: 'the table has gone' } },
    ]);
    expect(samples.doneUs[0]).toBeNaN();
  });

  it('aborts a stream after its timeout', async () => {
    const { url } = await serveFlight({ pauseMs: 200 });
    const { transferred } = await transfer(url, {}, { durationUs: 500_000 });
    expect(transferred?.streams).toMatchObject([{ error: { kind: 'timeout' } }]);
    expect(transferred?.streams[0]?.rows).toBeLessThan(rows);
  });

  it('warms up on parts of the table until the rate has settled, before anything is measured', async () => {
    const { url, seen } = await serveFlight();
    let before: string[] = [];
    const warmup = { windowUs: 30_000, maxUs: 5_000_000, change: 1.9 };
    const request: TransferRequest = { ...plain, warmup };
    const { transferred } = await driverNamed('flight', launcherNamed('processes', { workerPath: worker.path })).run(
      jobFor(url, { request, durationUs: 20_000_000 }),
      undefined,
      {
        onReady: async () => {
          before = [...seen.gets];
        },
      },
    );
    expect(before.length).toBeGreaterThan(0);
    // The smallest parts that there are: a batch each.
    expect(before.every((ticket) => ticket.endsWith('/40'))).toBe(true);
    expect(seen.gets.slice(before.length)).toEqual(['0/1']);
    expect(transferred).toMatchObject({ warm: true, streams: [{ rows }] });
  });

  it('reports an unreachable service', async () => {
    await expect(transfer('grpc+tcp://127.0.0.1:1')).rejects.toMatchObject({ code: 'TB_LOAD_UNREACHABLE' });
  });
});

describe('driver flight, logging in', () => {
  afterEach(() => vi.unstubAllEnvs());
  const access = { login: { user: 'ann', password: 'DRIVER_TEST_PASSWORD' } };

  it.each(['get', 'put'] as const)('logs in once per stream, to %s', async (operation) => {
    vi.stubEnv('DRIVER_TEST_PASSWORD', 'right');
    const { url } = await serveFlight({ password: 'right' });
    const { transferred } = await transfer(url, { operation, access, streams: 2 });
    expect(transferred?.streams).toMatchObject([{ rows: rows / 2 }, { rows: rows / 2 }]);
    expect(transferred?.streams.some(({ error }) => error)).toBe(false);
  });

  it('reports a wrong password, and a variable without password', async () => {
    const { url } = await serveFlight({ password: 'right' });
    await expect(transfer(url, { access })).rejects.toMatchObject({
      code: 'TB_LOAD_ACCESS',
      message: 'no password for "ann": the environment variable DRIVER_TEST_PASSWORD is not set',
    });
    vi.stubEnv('DRIVER_TEST_PASSWORD', 'wrong');
    await expect(transfer(url, { access })).rejects.toMatchObject({
      code: 'TB_LOAD_ACCESS',
      message: expect.stringMatching(/cannot start the transfer with .*: wrong user name or password$/),
    });
  });
});

describe('driver flight, putting', () => {
  it('sends every row of every stream, and counts acknowledged rows', async () => {
    const { url, seen } = await serveFlight();
    const { transferred } = await transfer(url, { operation: 'put', streams: 2 });
    expect(seen).toMatchObject({ puts: 2, uploadedRows: rows });
    for (const stream of transferred?.streams ?? []) {
      expect(stream).toMatchObject({ rows: rows / 2, bytes: (rows / 2) * rowBytes });
      expect(stream.firstBatchUs).toBeGreaterThan(0);
    }
    expect(transferred?.streams).toHaveLength(2);
  });

  it('ends the streams of the warm-up before the measurement begins', async () => {
    const { url, seen } = await serveFlight({ pauseMs: 5 });
    const before = { begun: 0, ended: 0 };
    const warmup = { windowUs: 30_000, maxUs: 5_000_000, change: 1.9 };
    const request: TransferRequest = { ...plain, operation: 'put', streams: 2, warmup };
    await driverNamed('flight', launcherNamed('processes', { workerPath: worker.path })).run(
      jobFor(url, { request, durationUs: 20_000_000 }),
      undefined,
      {
        onReady: async () => {
          Object.assign(before, { begun: seen.puts, ended: seen.uploads });
        },
      },
    );
    expect(before.begun).toBeGreaterThan(1);
    expect(before.ended).toBe(before.begun);
    expect(seen.uploads).toBe(before.ended + 2);
  });

  it('fails an upload with unacknowledged rows', async () => {
    const { url } = await serveFlight({ unacknowledged: 1 });
    const { transferred } = await transfer(url, { operation: 'put' });
    expect(transferred?.streams[0]?.error).toEqual({
      kind: 'rows-missing',
      message: `${rows - 1} of ${rows} rows were acknowledged`,
    });
  });
});

describe('driver flight, under rules', () => {
  /** Rows of even number lose `b`; those above 300 of a batch's contents are refused. */
  const treatment = {
    treatments: [
      { passes: true, remove: [], pseudonymise: [] },
      { passes: true, remove: ['b'], pseudonymise: [] },
      { passes: false, remove: [], pseudonymise: [] },
    ],
    codes: [0, 1, 2, 3].map((batch) =>
      Uint16Array.from({ length: 100 }, (_, row) => (batch === 3 ? 2 : (row + 1) % 2)),
    ),
    textColumns: [],
    pseudonymKey: 'key of pseudonyms',
  };

  it.each(['get', 'put'] as const)('finds a service that does not redact or refuse, to %s', async (operation) => {
    const { url } = await serveFlight();
    const { transferred } = await transfer(url, { treatment, operation });
    const [stream] = transferred?.streams ?? [];
    // Every fourth batch must not have come, and half of the values of the others.
    expect(stream?.wrong).toBeGreaterThanOrEqual(rows / 4 + (3 * rows) / 8);
    expect(stream?.wrongExample).toMatch(
      operation === 'get'
        ? /^column b of row 0 of batch 0 is "2024-01-01T00:00:00.000Z", expected null$/
        : /^the service kept 4000 rows, expected 3000$/,
    );
  });

  it('finds a service that kept the wrong batch of an upload', async () => {
    const { url } = await serveFlight({ lostAt: 400 });
    const { transferred } = await transfer(url, { operation: 'put' });
    expect(transferred?.streams).toMatchObject([
      { rows, wrong: 300, wrongExample: 'the service kept 3900 rows, expected 4000' },
    ]);
  });
});

describe.each(['ndjson', 'json'] as const)('driver flight, over HTTP as %s', (protocol) => {
  it('reads the whole table in every stream and counts the bytes of its columns', async () => {
    const { transferred } = await transfer(await serveJson(), { protocol, streams: 2 });
    for (const stream of transferred?.streams ?? []) {
      expect(stream).toMatchObject({ rows, bytes: rows * rowBytes, wrong: 0 });
      expect(stream.checked).toBeGreaterThan(3);
      expect(stream.wireBytes).toBeGreaterThan(rows * rowBytes);
    }
    expect(transferred?.streams).toHaveLength(2);
  });

  it('finds rows with wrong values', async () => {
    const { transferred } = await transfer(await serveJson(true), { protocol });
    // Every 97th row is compared as a whole; the first behind row 3000 is 3007, row 7 of batch 30.
    expect(transferred?.streams[0]).toMatchObject({
      wrong: 11,
      wrongExample: 'column a of row 7 of batch 30 is 208, expected 207',
    });
  });
});
