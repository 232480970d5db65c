/**
 * That the bench compares like with like: every pairing moves the same bytes, is warmed by the calls that are timed,
 * and builds nothing meanwhile.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, rowBytes } from '../../bench/job.ts';
import { type Cell, Pairings } from '../../bench/pairings.ts';
import { checkTransfer, type Transfer, type Work } from '../../bench/transfer.ts';
import { missingModule } from '../fixtures/python.ts';

const missing = missingModule('pyarrow.flight');
const messages = 5;

/** The work without what may differ: time, and how a batch is held (pyarrow has one way only). */
function comparable({ client, server }: Work): unknown {
  const of = ({ calls, sentBytes, receivedBytes }: Account) => ({
    calls: Object.entries(calls).map(([call, count]) => [
      call
        .replace(/^tcp-get/, 'DoGet')
        .replace(/^tcp-put/, 'DoPut')
        .replace(/ \w+$/, ''),
      count,
    ]),
    sentBytes,
    receivedBytes,
  });
  return { client: of(client), server: of(server) };
}

describe.skipIf(missing)(`every pairing does the same${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let pairings: Pairings;
  beforeAll(async () => {
    pairings = await Pairings.start({ hasPyarrow: true });
  });
  afterAll(() => pairings?.stop());

  const cells: Cell[] = [
    { verb: 'DoGet', streams: 1, rows: 5000 },
    { verb: 'DoGet', streams: 3, rows: 100 },
    { verb: 'DoPut', streams: 1, rows: 100 },
    { verb: 'DoPut', streams: 3, rows: 5000 },
  ];
  it.each(cells)('in the warm-up and inside the clock: $verb, $streams streams, $rows rows', async (cell) => {
    const { verb, streams, rows } = cell;
    const transfers: Transfer[] = [];
    for (const pairing of pairings.for(verb)) transfers.push(await pairing.run(cell, messages));
    const bytes = rows * rowBytes * messages * streams;
    const sender = { calls: [[`${verb} ${rows} ${messages}`, streams]], sentBytes: bytes, receivedBytes: 0 };
    const receiver = { ...sender, sentBytes: 0, receivedBytes: bytes };
    const expected = verb === 'DoGet' ? { client: receiver, server: sender } : { client: sender, server: receiver };
    expect(transfers).toHaveLength(7);
    for (const { warmUp, timed } of transfers) {
      expect(comparable(warmUp)).toEqual(expected);
      expect(comparable(timed)).toEqual(expected);
      expect([timed.client.built, timed.server.built]).toEqual([0, 0]);
    }
  });

  it('batches are owned on both sides, and kept if small, except in the borrowing pairing', async () => {
    const takings = async (rows: number): Promise<string[]> => {
      const found: string[] = [];
      for (const pairing of pairings.for('DoGet')) {
        const { timed } = await pairing.run({ verb: 'DoGet', streams: 1, rows }, 2);
        found.push(`${pairing.name}: ${Object.keys(timed.server.calls)[0]?.split(' ').at(-1)}`);
      }
      return found.filter((text) => !text.startsWith('plain'));
    };
    const borrowed = ['our client, pyarrow server', 'ours'].map((name) => `${name}, batches borrowed: borrowed`);
    const owned = ['C++ pair (pyarrow)', 'pyarrow client, our server', 'our client, pyarrow server', 'ours'];
    const expected = (taking: string): string[] => [...owned.map((name) => `${name}: ${taking}`), ...borrowed].sort();
    expect((await takings(4096)).sort()).toEqual(expected('owned'));
    expect((await takings(4095)).sort()).toEqual(expected('kept'));
  });
});

describe('a transfer is rejected', () => {
  const job = {
    verb: 'DoGet',
    locations: ['grpc+tcp://127.0.0.1:1'],
    streams: 2,
    rows: 10,
    messages: 3,
    taking: 'owned',
  } as const;
  const account = (changes: Partial<Account>): Account => ({
    calls: { 'DoGet 10 3 owned': 2 },
    sentBytes: 0,
    receivedBytes: 0,
    built: 0,
    cpuSeconds: 0,
    ...changes,
  });
  const work = (changes: { client?: Partial<Account>; server?: Partial<Account> } = {}): Work => ({
    client: account({ receivedBytes: 1920, ...changes.client }),
    server: account({ sentBytes: 1920, ...changes.server }),
  });
  const right: Transfer = { seconds: 1, rows: 60, warmUp: work({ server: { built: 2 } }), timed: work() };

  it('only when something differs', () => {
    expect(() => checkTransfer(job, right)).not.toThrow();
  });

  it.each([
    ['rows are missing', { ...right, rows: 59 }, 'rows: got 59, expected 60'],
    [
      'the server built a batch while the clock ran',
      { ...right, timed: work({ server: { built: 1 } }) },
      'batches built while the clock ran: got 1, expected 0',
    ],
    [
      'the client built one',
      { ...right, timed: work({ client: { built: 1 } }) },
      'batches built while the clock ran: got 1, expected 0',
    ],
    [
      'another ticket was primed',
      { ...right, warmUp: work({ server: { calls: { 'DoGet 10 1 owned': 2 } } }) },
      'warmUp, calls of the server: got {"DoGet 10 1 owned":2}, expected {"DoGet 10 3 owned":2}',
    ],
    [
      'a stream was not primed',
      { ...right, warmUp: work({ client: { calls: { 'DoGet 10 3 owned': 1 } } }) },
      'warmUp, calls of the client: got {"DoGet 10 3 owned":1}, expected {"DoGet 10 3 owned":2}',
    ],
    [
      'a side moved other bytes',
      { ...right, timed: work({ client: { receivedBytes: 1919 } }) },
      'timed, bytes of the client: got {"sentBytes":0,"receivedBytes":1919}, expected {"sentBytes":0,"receivedBytes":1920}',
    ],
  ])('when %s', (_, transfer: Transfer, text) => {
    expect(() => checkTransfer(job, transfer)).toThrow(text);
  });
});
