/**
 * Checks of pages before the driver of rows decodes them. It takes memory for as many values as a page announces, and a
 * few bytes can announce more than the process may have: V8 ends it then without a message.
 */
import type { ColumnChunk, FileMetaData } from 'hyparquet';
import { damaged, unmappedType } from '../source-error.ts';
import { requireRuns } from './index-widths.ts';
import type { ParquetFile } from './open-file.ts';
import { number, ofData, pagesIn } from './pages.ts';

/** Values of the pages that the driver decodes at once. They take up to 40 bytes each. */
const maxValues = 2 ** 23;

type CheckedFile = Pick<ParquetFile, 'path' | 'file'>;

/**
 * The same file. A read from it rejects pages that announce more values than their column has, and those that the
 * driver cannot decode. The driver begins several reads and waits for one: rejections of the others must not end the
 * process.
 * @param metadata of the file, with one column only
 */
export function withCheckedPages(
  { path, file }: CheckedFile,
  { schema, row_groups }: FileMetaData,
): CheckedFile['file'] {
  const chunks = row_groups.flatMap(({ columns }) => columns);
  const checked = async (start: number, end: number): Promise<ArrayBuffer> => {
    const bytes = await file.slice(start, end);
    for (const chunk of chunks) {
      const { from, to } = placeOf(chunk);
      let values = 0;
      for (const page of pagesIn(Buffer.from(bytes).subarray(Math.max(0, from - start), Math.max(0, to - start)))) {
        values += number(page.fields, ofData.values);
        requireCount(path, chunk, values);
        requireRuns(path, page, chunk, schema);
      }
    }
    return bytes;
  };
  return {
    byteLength: file.byteLength,
    slice: (start, end = file.byteLength) => {
      const bytes = checked(start, end);
      bytes.catch(() => {});
      return bytes;
    },
  };
}

/** @param values of the pages of the chunk so far */
function requireCount(path: string, { meta_data }: ColumnChunk, values: number): void {
  const [name = ''] = meta_data?.path_in_schema ?? [];
  const expected = Number(meta_data?.num_values);
  if (!(values <= expected))
    throw damaged(path, new Error(`pages of column ${name} have ${values} values, expected ${expected}`));
  if (values <= maxValues) return;
  const hint =
    'read the table by columns (Arrow), or write the file again with an index of its pages or fewer rows each';
  throw unmappedType(name, `pages of ${values} values in one piece, more than ${maxValues}`, hint);
}

function placeOf({ meta_data }: ColumnChunk): { from: number; to: number } {
  const data = Number(meta_data?.data_page_offset);
  const dictionary = Number(meta_data?.dictionary_page_offset ?? 0);
  const from = dictionary > 0 && dictionary < data ? dictionary : data;
  return { from, to: from + Number(meta_data?.total_compressed_size) };
}
