/** Opens the items of a service as a source of SQL. Apart from `open-store.ts`, so that services that serve none load none of it. */
export { columnsOfItems, type ItemColumn } from './postgresql/columns-of-items.ts';
export { openSqlSource, type SqlSourceOptions } from './postgresql/reader/sql-source.ts';
