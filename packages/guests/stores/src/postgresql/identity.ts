/** Identity of a PostgreSQL server, and its settings for durability and memory. */
import type { Client } from 'pg';
import type { ServerIdentity } from '../store.ts';

const settings = [
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'wal_sync_method',
  'shared_buffers',
  'work_mem',
  'effective_cache_size',
  'max_connections',
  'default_transaction_isolation',
];

export async function identify(client: Client): Promise<ServerIdentity> {
  const { rows: about } = await client.query<{ version: string }>('SELECT version()');
  const { rows } = await client.query<{ name: string; setting: string }>(
    'SELECT name, current_setting(name) AS setting FROM pg_settings WHERE name = ANY($1) ORDER BY name',
    [settings],
  );
  // e.g. `PostgreSQL 18.1 on x86_64-pc-linux-gnu, compiled by …`; compatible products put their own name there.
  const [name = 'unknown', version = 'unknown'] = (about[0]?.version ?? '').split(' ');
  return { name, version, settings: Object.fromEntries(rows.map(({ name, setting }) => [name, setting])) };
}
