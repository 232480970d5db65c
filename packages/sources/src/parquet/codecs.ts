/** Codecs of Parquet pages: those of Node.js where it has them, and those of the driver's companion. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Compressors } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

export const codecs: Compressors = {
  ...compressors,
  // A few bytes may expand to gigabytes: not beyond the length that the page states.
  BROTLI: (stored, bytes) => brotliDecompressSync(stored, { maxOutputLength: Math.max(1, bytes) }),
  GZIP: (stored, bytes) => gunzipSync(stored, { maxOutputLength: Math.max(1, bytes) }),
};
