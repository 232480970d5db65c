/** Codecs of Parquet pages: those of Node.js where it has them, and those of the driver's companion. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Compressors } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

type Codec = NonNullable<Compressors[keyof Compressors]>;

const used: Compressors = {
  ...compressors,
  // A few bytes may expand to gigabytes: not beyond the length that the page states.
  BROTLI: (stored, bytes) => brotliDecompressSync(stored, { maxOutputLength: Math.max(1, bytes) }),
  GZIP: (stored, bytes) => gunzipSync(stored, { maxOutputLength: Math.max(1, bytes) }),
};

export const codecs: Compressors = Object.fromEntries(
  Object.entries(used).map(([name, codec]) => [name, ofAnyLength(codec)]),
);

/** Dictionaries of columns without any value are empty: the codec LZ4 rejects them. */
function ofAnyLength(codec: Codec): Codec {
  return (stored, bytes) => (bytes === 0 ? new Uint8Array(0) : codec(stored, bytes));
}
