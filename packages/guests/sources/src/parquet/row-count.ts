/** The number of rows of a Parquet file, from its footer. */
import { openParquetFile } from './open-file.ts';

/** @throws TopoBenchError as `openParquetFile` */
export async function countParquetRows(path: string): Promise<number> {
  const { metadata, close } = await openParquetFile(path);
  await close();
  return Number(metadata.num_rows);
}
