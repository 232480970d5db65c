/** PostgreSQL: every table is a stream, and a query can be one. */
import { openSource } from '@topo-bench/sources';
import type { StreamDescriptor } from '../protocol/messages.ts';
import { optionalText, optionalTexts, requiredText } from './config-fields.ts';
import type { CursorRange, FoundTable, StoreConnector } from './store-connector.ts';

export interface PostgresConfig {
  url: string;
  tables?: readonly string[];
  query?: string;
}

const queryStream = 'query';

export const postgresql: StoreConnector<PostgresConfig> = {
  title: 'PostgreSQL',
  configuration: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Source PostgreSQL',
    type: 'object',
    required: ['url'],
    additionalProperties: false,
    properties: {
      url: {
        type: 'string',
        title: 'Connection string',
        description: 'postgresql://user:password@host:port/database',
        airbyte_secret: true,
        order: 0,
      },
      tables: {
        type: 'array',
        items: { type: 'string' },
        title: 'Tables',
        description: 'Names as in SQL, with the schema if it is not public. Default: all that the user can read.',
        order: 1,
      },
      query: {
        type: 'string',
        title: 'Query',
        description: `A SELECT, read as the stream \`${queryStream}\` instead of tables.`,
        order: 2,
      },
    },
  },
  parseConfig(document) {
    const url = requiredText(document, 'url');
    const [tables, query] = [optionalTexts(document, 'tables'), optionalText(document, 'query')];
    return { url, ...(tables && { tables }), ...(query !== undefined && { query }) };
  },
  async tables(config) {
    if (config.query !== undefined) return [{ name: queryStream }];
    const found = await listTables(config);
    if (!config.tables) return found;
    return config.tables.map((name) => namedTable(found, name));
  },
  tableOf: ({ url, query }, stream) =>
    query === undefined ? { kind: 'postgresql', url, table: quoted(stream) } : { kind: 'postgresql', url, query },
  rangeOf: ({ url, query }, stream, range) => ({
    kind: 'postgresql',
    url,
    query: rangeQuery(query ?? `SELECT * FROM ${quoted(stream)}`, range),
  }),
};

const tablesQuery = `SELECT n.nspname::text AS namespace, c.relname::text AS name,
  (SELECT json_agg(a.attname ORDER BY k.n)::text
     FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, n), pg_attribute a
    WHERE i.indrelid = c.oid AND i.indisprimary AND a.attrelid = c.oid AND a.attnum = k.attnum) AS key
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND NOT c.relispartition
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
  AND has_table_privilege(c.oid, 'SELECT')
ORDER BY 1, 2`;

async function listTables({ url }: PostgresConfig): Promise<FoundTable[]> {
  const source = await openSource({ kind: 'postgresql', url, query: tablesQuery });
  const tables: FoundTable[] = [];
  try {
    for await (const rows of source.rows({ batchRows: 1000 })) {
      for (const { namespace, name, key } of rows) {
        const primaryKey = key === null ? undefined : (JSON.parse(key as string) as string[]);
        tables.push({ name: name as string, namespace: namespace as string, ...(primaryKey && { primaryKey }) });
      }
    }
    return tables;
  } finally {
    await source.close();
  }
}

/** As it is spelled, else as SQL reads it. A table that was not found: the read names it in its error. */
function namedTable(found: readonly FoundTable[], text: string): FoundTable {
  const name = nameOf(text, (part) => part);
  const folded = nameOf(text, (part) => part.toLowerCase());
  const isNamed = (table: StreamDescriptor, { namespace = 'public', name }: StreamDescriptor): boolean =>
    table.name === name && table.namespace === namespace;
  const asItIs = found.find((table) => text === `${table.namespace}.${table.name}` || isNamed(table, { name: text }));
  return asItIs ?? found.find((table) => isNamed(table, name)) ?? found.find((table) => isNamed(table, folded)) ?? name;
}

const part = '("(?:[^"]|"")+"|[^."]+)';
const qualifiedName = new RegExp(`^(?:${part}\\.)?${part}$`);

/** @param plain of a part without quotes */
function nameOf(text: string, plain: (part: string) => string): StreamDescriptor {
  const [namespace, name] = (qualifiedName.exec(text)?.slice(1) ?? [undefined, text]).map((part) =>
    part?.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part && plain(part),
  );
  return { name: name ?? text, ...(namespace !== undefined && { namespace }) };
}

function quoted({ name, namespace }: StreamDescriptor): string {
  return [...(namespace === undefined ? [] : [namespace]), name].map(identifier).join('.');
}

function rangeQuery(select: string, { field, above }: CursorRange): string {
  const column = identifier(field);
  const condition = above === undefined ? `${column} IS NOT NULL` : `${column} > ${literal(above)}`;
  return `SELECT * FROM (${select}) AS stream WHERE ${condition} ORDER BY ${column}`;
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The form with escapes means the same whatever the settings of the server. */
function literal(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
