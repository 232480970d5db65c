/**
 * Asks a service with Flight SQL for every column of its items after a load, and compares the answers with the oracle:
 * granted columns with their values, withheld ones by their refusal, and the decisions that the service counted.
 */
import { isDeepStrictEqual } from 'node:util';
import { FlightClient, FlightError, readFlight } from '@topo-bench/arrow-flight';
import { encodeQueryText, encodeSqlMessage } from '@topo-bench/arrow-flight/sql';
import { objectOf, valueReader } from '@topo-bench/columns';
import type { RoleStats, StoreConfiguration } from '@topo-bench/core';
import { logIn, readCredentials } from '@topo-bench/loadgen/flight/flight-access';
import type { ItemLike } from '@topo-bench/oracle/item-calls';
import type { QueriedColumn, QueryAccess } from '@topo-bench/oracle/query-access';
import type { Data } from 'apache-arrow';

/** Number of seeded items that are asked for. */
export const queriedRows = 100;

export interface QueryChecks {
  flightUrl: string;
  access: Parameters<typeof readCredentials>[0];
  configuration: StoreConfiguration;
  right: QueryAccess;
  /** Ids of the asked items, in ascending order. */
  ids: readonly string[];
  /** Every version that the store may have of an item. */
  formsOf(id: string): readonly ItemLike[];
  /** Resets the counters of the service. */
  reset(): Promise<void>;
  /** Counters of the service since. */
  stats(): Promise<RoleStats | undefined>;
  signal: AbortSignal;
}

type Rows = readonly Readonly<Record<string, unknown>>[];
type ReadColumn = (item: ItemLike) => unknown;

const address = (member: string): ReadColumn => {
  return ({ address: given }) => (given as Record<string, unknown>)[member];
};
const scalars: Readonly<Record<string, ReadColumn>> = {
  customer: ({ customer }) => customer,
  status: ({ status }) => status,
  created_at: ({ createdAt }) => createdAt,
  total_cents: ({ totalCents }) => totalCents,
};
const relational: Readonly<Record<string, ReadColumn>> = {
  ...scalars,
  currency: ({ currency }) => currency,
  lines: ({ lines }) => lines,
  address_name: address('name'),
  street: address('street'),
  city: address('city'),
  postcode: address('postcode'),
  country: address('country'),
  note: ({ note }) => note,
};
const hybrid: Readonly<Record<string, ReadColumn>> = {
  ...scalars,
  document: ({ currency, lines, address: given, note }) => ({ currency, lines, address: given, note }),
};
/** Columns of documents arrive as JSON text. */
const documents: readonly string[] = ['lines', 'document'];
const fieldNames: Readonly<Record<string, readonly string[]>> = {
  created_at: ['createdAt'],
  total_cents: ['totalCents'],
  ...Object.fromEntries(['address_name', 'street', 'city', 'postcode', 'country'].map((name) => [name, ['address']])),
  document: ['currency', 'lines', 'address', 'note'],
};

const readersOf = (configuration: StoreConfiguration): Readonly<Record<string, ReadColumn>> =>
  configuration.startsWith('hybrid') ? hybrid : relational;

/** The columns of a configuration as users see them, with the fields of an item that each contains. */
export function queriedColumns(configuration: StoreConfiguration): QueriedColumn[] {
  const names = ['id', ...Object.keys(readersOf(configuration))];
  return names.map((name) => ({ name, fields: fieldNames[name] ?? [name] }));
}

/** @returns what was wrong, in words: one for each column, and one for the counts */
export async function checkQueries(checks: QueryChecks): Promise<string[]> {
  const { right, configuration, signal } = checks;
  const credentials = await readCredentials(checks.access);
  const client = new FlightClient(checks.flightUrl, credentials);
  const findings: string[] = [];
  let rows = 0;
  try {
    await logIn(client, credentials, signal);
    await checks.reset();
    for (const { name } of queriedColumns(configuration)) {
      const answer = await ask(client, name, checks);
      if (Array.isArray(answer)) rows += answer.length;
      const finding = compare(name, answer, checks);
      if (finding !== undefined) findings.push(finding);
    }
    const counted = countsOf(await checks.stats());
    const wanted = rightCounts(right, rows);
    if (!isDeepStrictEqual(counted, wanted))
      findings.push(`queries were counted as ${text(counted)}, expected ${text(wanted)}`);
    return findings;
  } finally {
    await client.close(0);
  }
}

/** Without a readable id, values cannot be assigned to items, and a query has one column. */
async function ask(client: FlightClient, name: string, { ids, right, signal }: QueryChecks): Promise<Rows | Error> {
  const hasIds = name !== 'id' && !right.refused && !right.withheld.includes('id');
  const range = hasIds || name === 'id' ? `WHERE id <= '${ids.at(-1)}' ORDER BY id` : `LIMIT ${ids.length}`;
  const query = `SELECT ${hasIds ? 'id, ' : ''}${name} FROM items ${range}`;
  const command = encodeSqlMessage({ type: 'CommandStatementQuery', value: encodeQueryText(query) });
  const rows: Record<string, unknown>[] = [];
  try {
    for await (const batch of readFlight(client, await client.getFlightInfo({ command }, { signal }), { signal })) {
      const members = batch.schema.fields.map(
        (field, i) => [field.name, valueReader(batch.data.children[i] as Data)] as const,
      );
      for (let row = 0; row < batch.numRows; row++) rows.push(objectOf(members, row));
    }
    return rows;
  } catch (error) {
    signal.throwIfAborted();
    return error as Error;
  }
}

/** @returns undefined for a right answer */
function compare(name: string, answer: Rows | Error, { right, ids, formsOf, configuration }: QueryChecks) {
  const isWithheld = right.refused || right.withheld.includes(name);
  if (answer instanceof Error) {
    if (!isWithheld) return `a query of ${name} failed: ${answer.message.split('\n')[0]}`;
    const isRefusal = answer instanceof FlightError && answer.status === 'permission-denied';
    return isRefusal ? undefined : `a query of ${name} was not refused, but failed: ${answer.message.split('\n')[0]}`;
  }
  if (isWithheld) return `a query got ${answer.length} values of ${name}, which rules withhold`;
  if (!right.refused && right.withheld.includes('id')) return undefined;
  const given = answer.map(({ id }) => id);
  if (!isDeepStrictEqual(given, ids)) return `a query of ${name} got ${given.length} items, expected ${ids.length}`;
  const read = readersOf(configuration)[name];
  const wrong = read && answer.find((row) => !formsOf(row.id as string).some((form) => isValue(name, row, read(form))));
  return wrong && `a query got another ${name} of ${wrong.id}: ${text(wrong[name])?.slice(0, 40)}`;
}

function isValue(name: string, row: Readonly<Record<string, unknown>>, expected: unknown): boolean {
  const value = row[name];
  if (!documents.includes(name)) return value === expected;
  return typeof value === 'string' && isDeepStrictEqual(JSON.parse(value), expected);
}

function countsOf(stats: RoleStats | undefined) {
  const { allow = 0, deny = 0, redact = 0, reroute = 0 } = stats?.decisions ?? {};
  return { effects: { allow, deny, redact, reroute }, byRule: { ...stats?.columns?.byRule } };
}

function rightCounts(right: QueryAccess, rows: number): ReturnType<typeof countsOf> {
  const effects = { allow: 0, deny: 0, redact: 0, reroute: 0 };
  if (right.refused || !right.effect || rows === 0) return { effects, byRule: {} };
  return {
    effects: { ...effects, [right.effect]: rows },
    byRule: right.rule === undefined ? {} : { [right.rule]: rows },
  };
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
