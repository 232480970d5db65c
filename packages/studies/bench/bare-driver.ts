/**
 * The other side of `bench:stores`: one process that sends the very statements of the service to PostgreSQL through the
 * bare driver, as many at once and over as many connections. Statements are made before the clock starts. Each must
 * find, add or replace what it names, as each request to the service must succeed.
 */
import type { Item } from '@topo-bench/core';
import type { ItemQuery } from '@topo-bench/stores';
import { layoutOf } from '@topo-bench/stores/postgresql/layouts';
import { queryStatement, statementsOf } from '@topo-bench/stores/postgresql/statements';
import { type StoreWorkload, storeRequests } from '@topo-bench/workload';
import pg from 'pg';
import { type Done, Prepared } from './prepared.ts';

export interface BareJob {
  url: string;
  workload: StoreWorkload;
  repetition: number;
  concurrency: number;
  connections: number;
  seconds: number;
  /** Statements to have ready. */
  prepared: number;
}

type Statement = { name: string; text: string; values: (string | number)[] };

const layout = layoutOf('sql-indexed');
const statements = statementsOf(layout);
let pool: pg.Pool | undefined;
const timestamptz = 1184;
/** As the service reads them: times stay in the server's text format. */
const textTimes: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    id === timestamptz ? (value: string) => value : pg.types.getTypeParser(id, format as 'text'),
};

process.on('message', async (job: BareJob) => {
  pool ??= new pg.Pool({ connectionString: job.url, max: job.connections, idleTimeoutMillis: 0, types: textTimes });
  const generate = storeRequests(job.workload, 1, job.repetition);
  const made = Array.from({ length: job.prepared }, (_, index) => statementOf(generate(index)));
  process.send?.(await run(pool, new Prepared(made, job.workload), job));
});
process.on('disconnect', () => process.exit());

async function run(pool: pg.Pool, prepared: Prepared<Statement>, { concurrency, seconds }: BareJob): Promise<Done> {
  const startMs = performance.now();
  const endMs = startMs + seconds * 1e3;
  let done = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const statement = prepared.take();
      const { rowCount } = await pool.query(statement);
      if (rowCount === 0) throw new Error(`nothing was found or written by ${statement.name}`);
      done++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return { done, seconds: (performance.now() - startMs) / 1e3 };
}

function statementOf({ operation, path, body }: ReturnType<ReturnType<typeof storeRequests>>): Statement {
  if (operation === 'get') return { ...statements.get, values: [path.slice('/items/'.length)] };
  if (operation === 'query') {
    const { customer, status, limit } = Object.fromEntries(new URL(path, 'http://localhost').searchParams);
    return queryStatement(layout, { customer, status, limit: Number(limit) } as ItemQuery);
  }
  const values = layout.toValues(JSON.parse(body as string) as Item);
  return { ...(operation === 'create' ? statements.create : statements.put), values };
}
