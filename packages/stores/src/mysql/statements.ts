/** The statements: constant texts with parameters, prepared once per connection; one query for each set of fields asked for. */
import type { ItemQuery } from '../item-query.ts';
import { columns, toSqlTime } from './table.ts';

const names = columns.join(', ');
const insert = `INSERT INTO items (${names}) VALUES (${columns.map(() => '?').join(', ')})`;
const assignments = columns.slice(1).map((column) => `${column} = VALUES(${column})`);

export const statements = {
  create: insert,
  get: `SELECT ${names} FROM items WHERE id = ?`,
  put: `${insert} ON DUPLICATE KEY UPDATE ${assignments.join(', ')}`,
  delete: 'DELETE FROM items WHERE id = ?',
  stats: 'SELECT status, COUNT(*) AS items, SUM(total_cents) AS total_cents FROM items GROUP BY status',
} as const;

export function queryStatement(query: ItemQuery): { text: string; values: string[] } {
  const { customer, status, from, sku, after, limit } = query;
  const conditions: string[] = [];
  const values: string[] = [];
  const ask = (condition: string, ...asked: string[]): void => {
    conditions.push(condition);
    values.push(...asked);
  };
  if (customer !== undefined) ask('customer = ?', customer);
  if (status !== undefined) ask('status = ?', status);
  if (from !== undefined) ask('created_at >= ?', toSqlTime(from));
  if (sku !== undefined) ask('JSON_CONTAINS(item_lines, ?)', JSON.stringify({ sku }));
  if (after !== undefined) {
    const time = toSqlTime(after.createdAt);
    // A comparison of pairs would not use an index here; its first half alone does.
    ask('created_at >= ? AND (created_at > ? OR id > ?)', time, time, after.id);
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')} ` : '';
  // As text: a number would travel as floating point, which LIMIT refuses.
  return {
    text: `SELECT ${names} FROM items ${where}ORDER BY created_at, id LIMIT ?`,
    values: [...values, String(limit)],
  };
}
