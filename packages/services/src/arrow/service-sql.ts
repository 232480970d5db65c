/** Flight SQL of a service: queries over its items, under its rules. Query results count as served work. */
import { SqlFlights } from '@topo-bench/columns/sql';
import { SqlFailure, type SqlRow, type SqlSource } from '@topo-bench/columns/sql-source';
import type { RoleArrow } from '@topo-bench/core';
import type { ArrowSql } from '@topo-bench/core/schema/arrow';
import { columnsOfItems, openSqlSource } from '@topo-bench/stores';
import { targetFacts } from '@topo-bench/topology';
import type { RoleCounters } from '../control/role-counters.ts';
import type { FullConfig } from '../full-config.ts';
import { type Granted, sqlAccess } from './sql-access.ts';
import { streamRules } from './stream-rules.ts';

export interface ServiceSql {
  flights: SqlFlights;
  close(): Promise<void>;
}

/** @throws TopoBenchError when the rules are invalid, or the database rejects the connection or its restrictions */
export async function openServiceSql(
  config: FullConfig,
  { table, rules, store }: RoleArrow,
  sql: ArrowSql,
  counters: RoleCounters,
): Promise<ServiceSql> {
  const {
    persistence,
    secrets,
    graph,
    responsibleFor: [own = -1],
  } = config;
  if (!persistence || !secrets.store) throw new RangeError('queries without a store');
  if (rules && !store) throw new RangeError('queries without the rules of the store');
  const target = store && { ...targetFacts(graph, own), region: store.region };
  const access = sqlAccess(
    columnsOfItems(persistence.store.configuration),
    store && target && streamRules(store.rules, target, secrets.pseudonymKey),
    table.facts,
    Object.values(persistence.categories).filter((category) => category !== 'none'),
  );
  if (access.refusal !== undefined) return { flights: new SqlFlights(refusing(access.refusal)), close: async () => {} };
  const source = await openSqlSource({
    url: secrets.store.url,
    columns: access.columns,
    connections: sql.connections,
    timeLimitMs: sql.timeout / 1000,
  });
  return { flights: new SqlFlights(counted(source, access, counters)), close: () => source.close() };
}

function refusing(refusal: string): SqlSource {
  const refuse = async (): Promise<never> => {
    throw new SqlFailure('denied', refusal, {
      hint: 'request the columns of the service instead; its rules apply to them row by row',
    });
  };
  return { describe: refuse, run: refuse, close: async () => {} };
}

function counted(source: SqlSource, { withheld, effect, rule }: Granted, counters: RoleCounters): SqlSource {
  const explained = (error: unknown): unknown => {
    if (!(error instanceof SqlFailure) || error.kind !== 'denied' || withheld.length === 0) return error;
    const hint = `rules withhold the columns ${withheld.join(', ')}; select only other columns`;
    return new SqlFailure('denied', error.message, { hint, cause: error });
  };
  const orExplained = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw explained(error);
    }
  };
  async function* whileInFlight(
    chunks: AsyncIterable<readonly SqlRow[]>,
  ): AsyncGenerator<readonly SqlRow[], void, void> {
    counters.inFlight++;
    try {
      for await (const rows of chunks) {
        if (effect) {
          counters.decisions[effect] += rows.length;
          counters.columns.rows += rows.length;
          const { byRule } = counters.columns;
          if (rule !== undefined) byRule[rule] = (byRule[rule] ?? 0) + rows.length;
        }
        yield rows;
      }
      counters.served++;
    } catch (error) {
      throw explained(error);
    } finally {
      counters.inFlight--;
    }
  }
  return {
    describe: (text, signal) => orExplained(source.describe(text, signal)),
    run: async (text, values, signal) => {
      const { columns, rows } = await orExplained(source.run(text, values, signal));
      return { columns, rows: whileInFlight(rows) };
    },
    close: () => source.close(),
  };
}
