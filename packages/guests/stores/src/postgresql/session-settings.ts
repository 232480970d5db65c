/**
 * Settings of PostgreSQL by statements, and verified. A pooler in front of the server refuses those of the start-up
 * packet, or drops them: texts of dates would then be in the style and the zone of the role.
 */
import { TopoBenchError } from '@topo-bench/core';
import type { ClientBase, QueryResult } from 'pg';

type Settings = Readonly<Record<string, string | number>>;

/**
 * For the session. Poolers keep time zone and date style per client, whatever the server behind.
 * @param timeoutMs a pooler without a free server does not answer
 */
export async function setSession(client: ClientBase, settings: Settings, timeoutMs: number): Promise<void> {
  const statement = { text: statements(settings, false), query_timeout: timeoutMs };
  verify(await client.query<Found>(statement), settings);
}

/**
 * Begins a transaction in which the settings are valid: poolers change the server between transactions.
 * @param begin statement
 * @throws TopoBenchError `TB_SOURCE_QUERY` unless the server confirms each setting
 */
export async function beginWith(client: ClientBase, settings: Settings, begin = 'BEGIN'): Promise<void> {
  verify(await client.query<Found>(`${begin}; ${statements(settings, true)}`), settings);
}

type Found = Record<string, string>;

function statements(settings: Settings, isLocal: boolean): string {
  const names = Object.keys(settings);
  const set = names.map((name) => `set_config('${name}', '${settings[name]}', ${isLocal})`);
  const found = names.map((name) => `${readable(name)} AS ${name}`);
  return `SELECT ${set.join(', ')}; SELECT ${found.join(', ')}`;
}

/** The server shows milliseconds in the largest unit that is whole: `5s`. */
function readable(name: string): string {
  const value = `current_setting('${name}')`;
  return name.endsWith('_timeout') ? `round(1000 * extract(epoch FROM ${value}::interval))::text` : value;
}

/** The driver has a list of results for several statements. */
function verify(results: unknown, settings: Settings): void {
  const found = (results as QueryResult<Found>[]).at(-1)?.rows[0];
  for (const [name, value] of Object.entries(settings)) {
    // The style of dates is followed by the order of its fields.
    const got = found?.[name]?.split(',')[0];
    if (got === String(value)) continue;
    const message = `the session of PostgreSQL has ${name} ${got}, expected ${value}`;
    throw new TopoBenchError('TB_SOURCE_QUERY', message, {
      hint: 'give the address of the server itself, or of a pooler that keeps a server for a transaction',
    });
  }
}
