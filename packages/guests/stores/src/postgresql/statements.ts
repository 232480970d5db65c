/**
 * The statements of a layout: constant texts with parameters, prepared once per connection under their names. A query
 * has one statement per set of fields.
 */
import type { ItemQuery } from '../item-query.ts';
import type { Layout } from './layout.ts';

export interface Statement {
  name: string;
  text: string;
}

export interface Statements {
  create: Statement;
  get: Statement;
  put: Statement;
  delete: Statement;
  stats: Statement;
}

export function statementsOf({ columns }: Layout<object>): Statements {
  const names = columns.join(', ');
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  const assignments = columns.slice(1).map((column) => `${column} = excluded.${column}`);
  const insert = `INSERT INTO items (${names}) VALUES (${places}) ON CONFLICT (id) DO`;
  return {
    create: { name: 'create', text: `${insert} NOTHING` },
    get: { name: 'get', text: `SELECT ${names} FROM items WHERE id = $1` },
    // xmax is 0 for a row that was never deleted or replaced: this statement inserted it.
    put: { name: 'put', text: `${insert} UPDATE SET ${assignments.join(', ')} RETURNING (xmax = 0) AS created` },
    delete: { name: 'delete', text: 'DELETE FROM items WHERE id = $1' },
    stats: {
      name: 'stats',
      text: 'SELECT status, count(*)::text AS items, sum(total_cents)::text AS total_cents FROM items GROUP BY status',
    },
  };
}

/** @returns the statement for this set of fields, with its values */
export function queryStatement(layout: Layout<object>, query: ItemQuery): Statement & { values: (string | number)[] } {
  const { customer, status, from, sku, after, limit } = query;
  const values: (string | number)[] = [];
  const conditions: string[] = [];
  let name = 'query';
  const filter = (
    field: string,
    parameters: (string | number)[],
    condition: (first: string, second: string) => string,
  ): void => {
    conditions.push(condition(`$${values.length + 1}`, `$${values.length + 2}`));
    values.push(...parameters);
    name += `-${field}`;
  };
  if (customer !== undefined) filter('customer', [customer], (place) => `customer = ${place}`);
  if (status !== undefined) filter('status', [status], (place) => `status = ${place}`);
  if (from !== undefined) filter('from', [from], (place) => `created_at >= ${place}`);
  if (sku !== undefined) filter('sku', [layout.skuValue(sku)], (place) => layout.hasSku(place));
  if (after !== undefined) {
    filter(
      'after',
      [after.createdAt, after.id],
      (time, id) => `(created_at, id) > (${time}::timestamptz, ${id}::text)`,
    );
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')} ` : '';
  values.push(limit);
  const text = `SELECT ${layout.columns.join(', ')} FROM items ${where}ORDER BY created_at, id LIMIT $${values.length}`;
  return { name, text, values };
}
