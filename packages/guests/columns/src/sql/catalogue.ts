/**
 * Metadata queries of Flight SQL, for tools that list tables and complete names. Read from PostgreSQL's catalogue,
 * limited to what the reader role may see.
 */
import { type CatalogueFilter, decodeCatalogueFilter, encodeSchemaMessage } from '@topo-bench/arrow-flight/sql';
import { Binary, type DataType, Field, Schema, Utf8 } from 'apache-arrow';
import { schemaOf } from './column-types.ts';
import type { SqlColumn, SqlRow } from './sql-source.ts';

/** A catalogue query, its schema and the mapping of its rows. */
export interface CataloguePart {
  schema: Schema;
  query: string;
  values: SqlRow;
  row: (row: SqlRow) => SqlRow;
}

const column = (name: string, isNullable: boolean, type: DataType = new Utf8()): Field =>
  new Field(name, type, isNullable);
const asItIs = (row: SqlRow): SqlRow => row;

/**
 * @returns undefined for other commands
 * @throws FlightError when the message is malformed
 */
export function cataloguePart(command: string, message: Uint8Array): CataloguePart | undefined {
  switch (command) {
    case 'CommandGetCatalogs':
      return {
        schema: new Schema([column('catalog_name', false)]),
        query: 'SELECT current_database()',
        values: [],
        row: asItIs,
      };
    case 'CommandGetDbSchemas':
      return schemas(decodeCatalogueFilter(message));
    case 'CommandGetTableTypes':
      return {
        schema: new Schema([column('table_type', false)]),
        query: "VALUES ('SYSTEM TABLE'), ('TABLE'), ('VIEW')",
        values: [],
        row: asItIs,
      };
    case 'CommandGetTables':
      return tables(decodeCatalogueFilter(message));
    default:
      return undefined;
  }
}

const visibleSchemas = `has_schema_privilege(n.oid, 'USAGE') AND n.nspname !~ '^pg_(toast|temp)'
  AND ($1::text IS NULL OR current_database() = $1) AND ($2::text IS NULL OR n.nspname LIKE $2)`;

function schemas({ catalogue, schemaPattern }: CatalogueFilter): CataloguePart {
  return {
    schema: new Schema([column('catalog_name', true), column('db_schema_name', false)]),
    query: `SELECT current_database(), n.nspname FROM pg_namespace n WHERE ${visibleSchemas} ORDER BY n.nspname`,
    values: [catalogue ?? null, schemaPattern ?? null],
    row: asItIs,
  };
}

/** A view in the schema of the reader stands for a table of which rules withhold columns. */
function tables({ catalogue, schemaPattern, tablePattern, tableTypes, includeSchema }: CatalogueFilter): CataloguePart {
  const fields = ['catalog_name', 'db_schema_name'].map((name) => column(name, true));
  fields.push(column('table_name', false), column('table_type', false));
  if (includeSchema) fields.push(column('table_schema', false, new Binary()));
  const columns = `(SELECT json_agg(json_build_object('name', a.attname, 'typeId', a.atttypid::bigint, 'modifier', a.atttypmod)
    ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    AND has_column_privilege(c.oid, a.attnum, 'SELECT'))`;
  return {
    schema: new Schema(fields),
    query: `SELECT current_database(), n.nspname, c.relname, t.type${includeSchema ? `, ${columns}` : ''}
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, LATERAL (SELECT CASE
        WHEN n.nspname IN ('pg_catalog', 'information_schema') THEN 'SYSTEM TABLE'
        WHEN c.relkind IN ('v', 'm') AND n.nspname <> current_user THEN 'VIEW' ELSE 'TABLE' END AS type) t
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND has_any_column_privilege(c.oid, 'SELECT') AND ${visibleSchemas}
        AND ($3::text IS NULL OR c.relname LIKE $3) AND ($4::text IS NULL OR t.type IN (SELECT json_array_elements_text($4::json)))
      ORDER BY n.nspname, c.relname, t.type`,
    values: [
      catalogue ?? null,
      schemaPattern ?? null,
      tablePattern ?? null,
      tableTypes.length > 0 ? JSON.stringify(tableTypes) : null,
    ],
    row: includeSchema ? withSchema : asItIs,
  };
}

/** Replaces the columns of a table, given as JSON, with the bytes of a schema message. */
function withSchema([catalogue = null, schema = null, table = null, type = null, columns]: SqlRow): SqlRow {
  const bytes = encodeSchemaMessage(schemaOf(JSON.parse(columns ?? '[]') as SqlColumn[]));
  return [catalogue, schema, table, type, `\\x${Buffer.from(bytes).toString('hex')}`];
}
