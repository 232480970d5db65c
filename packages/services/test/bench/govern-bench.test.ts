/**
 * bench:govern compares like with like: with rules and without, the same rows from the same batches pass through the
 * same processes, as often before the figures count, and the rules have the effect that the case names.
 */
import type { RecordBatch } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Case, casesOf, sourceOf } from '../../bench/govern/cases.ts';
import { measureInTurns, ServiceAndClient, warmUpRounds } from '../../bench/govern/service-and-client.ts';

const size = { rows: 5000, batchRows: 1000 };
const cases = casesOf(size);
const numbers = cases.map((_, number) => number);

type Row = Record<string, unknown>;
const rowsOf = (batches: readonly RecordBatch[]): Row[] =>
  batches.flatMap((batch) => batch.toArray().map((row: { toJSON(): Row }) => row.toJSON()));
const signal = new AbortController().signal;

async function delivered(one: Case): Promise<Row[]> {
  const batches: RecordBatch[] = [];
  for await (const batch of sourceOf(one).batches(signal)) batches.push(batch);
  return rowsOf(batches);
}

async function held({ table }: Case): Promise<Row[]> {
  const batches: RecordBatch[] = [];
  for await (const batch of table.batches(signal)) batches.push(batch);
  return rowsOf(batches);
}

const isOfEu = ({ region }: Row): boolean => region === 'eu';
const withoutEmailAndId = (row: Row): Row => ({ ...row, email: null, id: null });
/** What each case makes of the rows of its table, by name. */
const expected: Readonly<Record<string, (rows: Row[]) => Row[]>> = {
  'rules that allow every row by its region': (rows) => rows,
  'two columns removed': (rows) => rows.map(withoutEmailAndId),
  'two columns removed in rows of the EU': (rows) => rows.map((row) => (isOfEu(row) ? withoutEmailAndId(row) : row)),
  'rows of the EU refused': (rows) => rows.filter((row) => !isOfEu(row)),
  'rows of the EU without consent refused': (rows) =>
    rows.filter((row) => !isOfEu(row) || [...(row.consents as Iterable<string>)].includes('marketing')),
};
const plainOf = ({ table }: Case): number => cases.findIndex((one) => !one.rules && one.table === table);

describe('the rules of the cases', () => {
  it.each(cases.filter(({ name }) => name in expected))('$name', async (one) => {
    const all = await held(one);
    const [got, wanted] = [await delivered(one), expected[one.name]?.(all) ?? []];
    expect(got.map((row) => JSON.stringify(plain(row)))).toEqual(wanted.map((row) => JSON.stringify(plain(row))));
    expect(all.filter(isOfEu).length).toBeGreaterThan(size.rows / 3);
  });

  it('two columns of different values pseudonymised', async () => {
    const one = cases.find(({ name }) => name === 'two columns of different values pseudonymised') as Case;
    const [all, got] = [await held(one), await delivered(one)];
    const rest = ({ email: _, customer: __, ...others }: Row) => JSON.stringify(plain(others));
    expect(got.map(rest)).toEqual(all.map(rest));
    for (const column of ['email', 'customer']) {
      const names = new Set(got.map((row) => row[column]));
      expect(names.size).toBe(size.batchRows);
      expect(all.filter((row) => names.has(row[column]))).toEqual([]);
    }
  });
});

/** JSON knows no bigint. */
function plain(row: Row): unknown {
  return Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null ? [...(value as Iterable<string>)] : value === null ? null : `${value}`,
  ]);
}

describe('service and client', () => {
  let processes: ServiceAndClient;
  beforeAll(async () => {
    processes = await ServiceAndClient.start(size);
  });
  afterAll(() => processes?.stop());

  it.each(['flight', 'http'] as const)(
    'send what the rules leave of the same rows, over %s',
    { timeout: 120_000 },
    async (protocol) => {
      const [bytes, rows] = [new Map<number, number>(), new Map<number, number | undefined>()];
      for (const number of numbers) {
        const [first, second] = [await processes.measure(protocol, number), await processes.measure(protocol, number)];
        // Every read of a case is the same work.
        expect([second.bytes, second.rows]).toEqual([first.bytes, first.rows]);
        bytes.set(number, first.bytes);
        rows.set(number, first.rows);
      }
      for (const [number, one] of cases.entries()) {
        const [own, without] = [bytes.get(number) ?? 0, bytes.get(plainOf(one)) ?? 0];
        expect(own).toBeGreaterThan(0);
        expect(protocol === 'http' ? undefined : (await delivered(one)).length).toBe(rows.get(number));
        // Equal work where rules change nothing, less to send where they withhold.
        const share = own / without;
        const withholds = /removed|refused/.test(one.name);
        expect([one.name, share < 0.9]).toEqual([one.name, withholds]);
        expect([one.name, share > 0.99 && share < 1.01]).toEqual([
          one.name,
          !one.rules || one.name.startsWith('rules that allow'),
        ]);
      }
    },
  );
});

test('every case is measured as often before the figures count, and in every round', async () => {
  const measured: number[] = [];
  const results = await measureInTurns([0, 2, 3], 25, async (number) => measured.push(number));
  expect([...results].map(([number, counted]) => [number, counted.length])).toEqual([
    [0, 30],
    [2, 30],
    [3, 30],
  ]);
  for (let round = 0; round < warmUpRounds + 30; round++) {
    expect(measured.slice(round * 3, round * 3 + 3).sort()).toEqual([0, 2, 3]);
  }
  expect(Math.min(...[...results.values()].flat())).toBeGreaterThan(warmUpRounds * 3);
});
