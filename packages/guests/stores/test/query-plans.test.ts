import { seededItem } from '@topo-bench/workload';
import { MongoClient } from 'mongodb';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ItemQuery } from '../src/item-query.ts';
import { filterOf, type ItemDocument } from '../src/mongodb/document.ts';
import { queryStatement as mysqlQuery } from '../src/mysql/statements.ts';
import { layoutOf } from '../src/postgresql/layouts.ts';
import { queryStatement } from '../src/postgresql/statements.ts';
import { prepareStore } from '../src/prepare-store.ts';
import { sharedServers, type TestServers } from './fixtures/test-servers.ts';

// Enough for an index to be worth it.
const dataset = { rows: 4000, seed: 2 };
const { customer, status, createdAt, lines } = seededItem(dataset.seed, 7, dataset.rows);

let servers: TestServers;
beforeAll(async () => {
  servers = await sharedServers(['postgresql', 'mysql', 'mongodb']);
});
const byFields: [string, ItemQuery][] = [
  ['customer', { customer, limit: 20 }],
  ['customer and status', { customer, status, limit: 20 }],
  ['status', { status, limit: 20 }],
  ['time', { from: createdAt, limit: 20 }],
];

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}
const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe.each(['sql-indexed', 'sql-unindexed', 'hybrid-indexed', 'hybrid-unindexed'] as const)(
  '%s on PostgreSQL',
  (configuration) => {
    let client: pg.Client;

    beforeAll(async () => {
      const { url } = await prepareStore({
        url: servers.get('postgresql').url,
        configuration,
        dataset,
        service: 'plans',
      });
      client = new pg.Client({ connectionString: url });
      await client.connect();
    });
    afterAll(() => client?.end());

    async function planOf(query: ItemQuery): Promise<string[]> {
      const { text, values } = queryStatement(layoutOf(configuration), query);
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
      return nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode).map((node) => node['Index Name'] ?? node['Node Type']);
    }

    it.each(byFields)(
      `queries by %s ${configuration.endsWith('-unindexed') ? 'with a scan' : 'through an index'}`,
      async (_, query) => {
        const plan = (await planOf(query)).join(' ');
        if (configuration.endsWith('-unindexed')) expect(plan).toContain('Seq Scan');
        else expect(plan).toMatch(/^(?!.*Seq Scan).*items_(customer|status|created_at)/);
      },
    );

    it('finds an article by containment, through the index if there is one', async () => {
      const plan = (await planOf({ sku: lines[0]!.sku, limit: 20 })).join(' ');
      if (configuration === 'hybrid-indexed') expect(plan).toContain('items_document');
      else expect(plan).not.toContain('items_document');
    });
  },
);

describe.each(['sql-indexed', 'sql-unindexed'] as const)('%s on MariaDB', (configuration) => {
  it.for(byFields)(
    `queries by %s ${configuration === 'sql-indexed' ? 'through an index' : 'with a scan'}`,
    async ([, query], { skip }) => {
      const missing = servers.missing('mysql');
      if (missing) skip(missing);
      const { url } = await prepareStore({ url: servers.get('mysql').url, configuration, dataset, service: 'plans' });
      const connection = await createConnection(url);
      const { text, values } = mysqlQuery(query);
      const limited = text.replace('LIMIT ?', `LIMIT ${values.pop()}`);
      const [rows] = await connection.query(`EXPLAIN ${limited}`, values);
      const [{ key }] = rows as [{ key: string | null }];
      connection.destroy();
      if (configuration === 'sql-unindexed') expect(key).toBeNull();
      else expect(key).toMatch(/^items_/);
    },
  );
});

describe('document', () => {
  // Not every server reports the index of a query by several fields.
  it.for(byFields.filter(([fields]) => fields !== 'customer and status'))(
    'queries by %s through an index',
    async ([, query], { skip }) => {
      const missing = servers.missing('mongodb');
      if (missing) skip(missing);
      const { url } = await prepareStore({
        url: servers.get('mongodb').url,
        configuration: 'document',
        dataset: { rows: 500, seed: 2 },
        service: 'plans',
      });
      const client = new MongoClient(url);
      try {
        const items = client.db().collection<ItemDocument>('items');
        const plan = await items
          .find(filterOf(query), { sort: { createdAt: 1, _id: 1 }, limit: query.limit })
          .explain();
        expect(JSON.stringify(plan)).toContain('IXSCAN');
      } finally {
        await client.close();
      }
    },
  );

  it('queries by sibling fields: some servers find no index inside `$and`', () => {
    expect(filterOf({ customer, status, from: createdAt, limit: 20 })).toEqual({
      customer: { $eq: customer },
      status: { $eq: status },
      createdAt: { $gte: new Date(createdAt) },
    });
  });
});
