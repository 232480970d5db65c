import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificates } from '../../../http2/test/fixtures/certificates.ts';
import { FlightServer, type FlightServerOptions } from '../../src/server/flight-server.ts';
import { missingModule, runPython } from '../fixtures/python.ts';
import { numbersService, type Seen } from '../numbers-service.ts';

let server: FlightServer | undefined;
afterEach(() => server?.close(0));

async function serve(options: FlightServerOptions = {}): Promise<{ location: string; seen: Seen }> {
  const { service, seen } = numbersService();
  server = new FlightServer(service, options);
  return { location: await server.listen(), seen };
}

type Failure = [kind: string, message: string];
const sumOf = (column: number): number => 2 * (10_000 * 4999.5 + 10_000 * column);
const schemaText = 'a: int64 not null\nb: int64 not null\nc: int64 not null\nd: int64 not null';
const missing = missingModule('pyarrow.flight');

describe.skipIf(missing)(`a pyarrow client on our server ${missing ?? ''}`, () => {
  it('gets right answers from every verb', async () => {
    const { location, seen } = await serve();
    expect(await runPython('client.py', location, 'verbs')).toEqual({
      flights: [['numbers', 'ü']],
      schema: schemaText,
      infoSchema: schemaText,
      tickets: ['part0', 'part1'],
      totals: [40_000, -1],
      rows: 20_000,
      sums: [0, 1, 2, 3].map(sumOf),
      acknowledged: ['10000 rows', '20000 rows'],
      echoed: [
        [10_000, 'with batch'],
        [null, 'alone'],
      ],
      results: ['ab', 'ab'],
      actions: [['repeat', 'Sends it twice.']],
    });
    expect(seen).toMatchObject({ uploadedRows: 20_000, uploadEnded: 'whole', ended: 1 });
  });

  it('gets each failure as the matching error class', async () => {
    const { location, seen } = await serve();
    const errors = await runPython<Record<string, Failure>>('client.py', location, 'errors');
    const expected: Record<string, Failure> = {
      'wrong ticket': ['ArrowKeyError', 'there is no flight for the ticket "none"'],
      'source fails': ['FlightUnavailableError', 'the table is locked — try later'],
      deadline: ['FlightTimedOutError', ''],
      'wrong schema': ['ArrowInvalid', 'the upload has 1 columns, expected a, b, c and d'],
      denied: ['FlightUnauthorizedError', 'not for you'],
    };
    for (const [name, [kind, message]] of Object.entries(expected)) {
      expect([name, errors[name]?.[0]]).toEqual([name, kind]);
      expect(errors[name]?.[1]).toContain(message);
    }
    expect(seen.ended).toBeGreaterThanOrEqual(1);
  });

  it('ends the source by cancelling, at most one batch later', async () => {
    const { location, seen } = await serve();
    expect(await runPython('client.py', location, 'cancel')).toEqual({ first: 10_000 });
    while (seen.ended === 0) await sleep(5);
    const given = seen.given;
    await sleep(100);
    expect(seen).toMatchObject({ ended: 1, given });
  });

  it('gets an error for a message above the limit of the server, and continues', async () => {
    const { location } = await serve({ maxMessageBytes: 100_000 });
    const result = await runPython<Record<string, Failure | null>>('client.py', location, 'too-long');
    expect(result.upload?.[1]).toContain('a message of 320');
    expect(result.upload?.[1]).toContain('more than the 100000 accepted here (send smaller batches');
    expect(result['next call']).toBeNull();
  });

  it('leaves nothing behind when its process ends in the middle', async () => {
    const { location, seen } = await serve();
    await runPython('client.py', location, 'vanish');
    while (seen.ended === 0 || seen.uploadEnded === undefined) await sleep(5);
    expect(seen).toMatchObject({ ended: 1, uploadEnded: 'cancelled', uploadedRows: 10_000 });
  });

  it('reads a stream of a gigabyte', async () => {
    const { location } = await serve();
    expect(await runPython('client.py', location, String(10 ** 9))).toEqual({ bytes: 10 ** 9 });
  });

  it('logs in with user and password and is refused without', async () => {
    const check = (user: string, password: string): boolean => user === 'ada' && password === 'söcret';
    const { location, seen } = await serve({ authentication: { check } });
    const result = await runPython<{ rows: number } & Record<string, Failure>>('client.py', location, 'login');
    expect(result.rows).toBe(20_000);
    for (const name of ['without', 'wrong', 'forged']) expect(result[name]?.[0]).toBe('FlightUnauthenticatedError');
    expect(seen.users).toEqual(['ada']);
  });

  it.each([
    ['refused without one, where the server asks for it', true],
    ['without one, where it does not', false],
  ])('is served over TLS with a certificate of its own, and %s', async (_, isMutual) => {
    const { certificate, key, ca, files, remove } = makeCertificates();
    try {
      const { location } = await serve({ tls: { certificate, key, ...(isMutual ? { clientCa: ca } : {}) } });
      const result = await runPython<{ both: number; alone: Failure | null }>('client.py', location, 'tls', ...files);
      expect(result.both).toBe(20_000);
      expect(result.alone?.[0]).toBe(isMutual ? 'FlightUnavailableError' : undefined);
    } finally {
      remove();
    }
  });
});
