/** Whole tables in PostgreSQL, MongoDB or a Parquet file: loaded, and read as rows or as Arrow columns. */
export * from './checksum/table-checksum.ts';
export * from './loading/dat-file.ts';
export * from './loading/dat-rows.ts';
export * from './loading/load-table.ts';
export * from './loading/store-sales-data.ts';
export * from './loading/table-data.ts';
export * from './open-source.ts';
export { countParquetRows } from './parquet/row-count.ts';
export * from './rows/batch-of-rows.ts';
export { decimalText } from './rows/decimal-values.ts';
export { joinedBatches } from './rows/joined-batches.ts';
export * from './rows/null-row.ts';
export * from './rows/read-cells.ts';
export * from './rows/scalar-values.ts';
export { daysOf, microsOf, microsOfDay } from './rows/time-values.ts';
export * from './source.ts';
export * from './source-table.ts';
