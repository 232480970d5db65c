/** Identity of a server, and its settings for durability and memory. */
import type { Connection, RowDataPacket } from 'mysql2/promise';
import type { ServerIdentity } from '../store.ts';

const settings = [
  'innodb_flush_log_at_trx_commit',
  'sync_binlog',
  'log_bin',
  'innodb_buffer_pool_size',
  'innodb_doublewrite',
  'innodb_flush_method',
  'max_connections',
  'tx_isolation',
  'transaction_isolation',
];

export async function identify(connection: Connection): Promise<ServerIdentity> {
  const [about] = await connection.query<RowDataPacket[]>('SELECT VERSION() AS version, @@version_comment AS comment');
  const [rows] = await connection.query<RowDataPacket[]>('SHOW GLOBAL VARIABLES WHERE Variable_name IN (?)', [
    settings,
  ]);
  const { version, comment } = about[0] as { version: string; comment: string };
  const name = /mariadb/i.test(`${version} ${comment}`) ? 'MariaDB' : /mysql/i.test(comment) ? 'MySQL' : comment;
  const values = rows.map(({ Variable_name, Value }) => [String(Variable_name), String(Value)] as const);
  return { name, version: version.replace(/-MariaDB.*$/, ''), settings: Object.fromEntries(values) };
}
