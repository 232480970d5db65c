/**
 * SQL statements: constant texts with parameters, prepared once per connection. A query has one statement per set of
 * fields.
 */
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
  const filter = (condition: string, ...parameters: string[]): void => {
    conditions.push(condition);
    values.push(...parameters);
  };
  if (customer !== undefined) filter('customer = ?', customer);
  if (status !== undefined) filter('status = ?', status);
  if (from !== undefined) filter('created_at >= ?', toSqlTime(from));
  if (sku !== undefined) filter('JSON_CONTAINS(item_lines, ?)', JSON.stringify({ sku }));
  if (after !== undefined) {
    const time = toSqlTime(after.createdAt);
    // A comparison of pairs would not use an index here; its first half alone does.
    filter('created_at >= ? AND (created_at > ? OR id > ?)', time, time, after.id);
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')} ` : '';
  // Text: the driver sends numbers as floating point, which LIMIT rejects.
  return {
    text: `SELECT ${names} FROM items ${where}ORDER BY created_at, id LIMIT ?`,
    values: [...values, String(limit)],
  };
}
