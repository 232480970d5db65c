/** Rows that are loaded into a store before they are read: generated, or those of a `.dat` file. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { datFileData, storeSalesData, type TableData } from '@topo-bench/sources';

export interface LoadedRows {
  data: TableData;
  /** Name of the table in the store: equal for equal data. */
  tableName: string;
  /** In results. */
  name: string;
  /** Where the rows are known from, as `ExpectedRows` has it. */
  origin: string;
}

export function generatedRows(rows: number, seed: number): LoadedRows {
  const data = storeSalesData({ rows, seed });
  return {
    data,
    tableName: `topo_bench_store_sales_${rows}_${seed}`,
    name: 'store_sales',
    origin: 'the generator made them',
  };
}

/**
 * Reads the file whole for its hash.
 * @throws TopoBenchError `TB_FILE_NOT_FOUND`
 */
export async function rowsOfDat(path: string): Promise<LoadedRows> {
  const data = await datFileData(path);
  const hash = createHash('sha256').update(data.fingerprint).digest('hex').slice(0, 12);
  const file = basename(path);
  return {
    data,
    tableName: `topo_bench_store_sales_dat_${hash}`,
    name: `store_sales of ${file}`,
    origin: `${file} has them`,
  };
}
