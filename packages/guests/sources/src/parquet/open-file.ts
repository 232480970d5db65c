/** A Parquet file on disk with its metadata, in the form in which the driver loses no digits. */
import { type AsyncBuffer, type FileMetaData, type ParquetParsers, parquetMetadataAsync } from 'hyparquet';
import { openRegularFile } from '../regular-file.ts';
import { damaged } from '../source-error.ts';

export interface ParquetFile {
  path: string;
  file: AsyncBuffer;
  metadata: FileMetaData;
  /** @throws TopoBenchError `TB_SOURCE_DAMAGED` for bytes that the file does not have */
  requireBytes(start: number, end: number): void;
  /** Fills memory with the bytes of the file from `start` on. @throws as `requireBytes` */
  fill(bytes: Uint8Array, start: number): Promise<void>;
  close(): Promise<void>;
}

/** Two marks, the length of the footer. */
const minBytes = 12;

/** One call of the system reads less than 2 GiB. */
const maxReadBytes = 2 ** 30;

/** @throws TopoBenchError `TB_FILE_NOT_FOUND`, `TB_SOURCE_DAMAGED` */
export async function openParquetFile(path: string): Promise<ParquetFile> {
  const { handle, size } = await openRegularFile(path, 'correct the path of the Parquet file, or load it');
  const requireBytes = (start: number, end: number): void => {
    if (start >= 0 && start <= end && end <= size) return;
    throw damaged(path, new Error(`got bytes ${start} to ${end} of a file of ${size}`));
  };
  const fill = async (bytes: Uint8Array, start: number): Promise<void> => {
    for (let filled = 0; filled < bytes.length; ) {
      const length = Math.min(bytes.length - filled, maxReadBytes);
      const { bytesRead } = await handle.read(bytes, filled, length, start + filled);
      if (bytesRead === 0) {
        throw damaged(path, new Error(`it ends at byte ${start + filled}, expected ${start + bytes.length}`));
      }
      filled += bytesRead;
    }
  };
  const file: AsyncBuffer = {
    byteLength: size,
    slice: async (start, end = size) => {
      requireBytes(start, end);
      const bytes = new Uint8Array(end - start);
      await fill(bytes, start);
      return bytes.buffer;
    },
  };
  try {
    if (size < minBytes) throw new Error(`got ${size} bytes, expected a Parquet file of ${minBytes} bytes or more`);
    const metadata = await parquetMetadataAsync(file);
    return { path, file, metadata, requireBytes, fill, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw damaged(path, error);
  }
}

/** Numbers have 15 digits: wider decimals are read without their annotation, as unscaled integers. */
const exactDigits = 15;

/** The same metadata for a read in which wide decimals stay integers and bytes. */
export function withExactTypes(metadata: FileMetaData): FileMetaData {
  return {
    ...metadata,
    schema: metadata.schema.map((element) => {
      if (element.converted_type === 'ENUM' || element.logical_type?.type === 'ENUM')
        return { ...element, converted_type: 'UTF8', logical_type: { type: 'STRING' } };
      if ((element.precision ?? 0) <= exactDigits) return element;
      const { converted_type: _, logical_type: __, ...plain } = element;
      return plain;
    }),
  };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** What the defaults of the driver would lose: microseconds, byte order marks, days after those of `Date`. */
export const exactParsers: Partial<ParquetParsers> = {
  stringFromBytes: (bytes: Uint8Array | null | undefined) => bytes && decoder.decode(bytes),
  dateFromDays: (days: number | null | undefined) => days,
  timestampFromMicroseconds: (micros: bigint | null | undefined) => micros,
  timestampFromMilliseconds: (millis: bigint | null | undefined) =>
    millis === null || millis === undefined ? millis : millis * 1000n,
};
