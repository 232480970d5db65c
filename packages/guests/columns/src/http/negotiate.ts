/** Selects the representation of a table by the `Accept` header (RFC 9110, 12.5.1). */
import { arrowStreamType, type CompressionName } from '@topo-bench/arrow-flight/ipc';

export const jsonType = 'application/json';
export const ndjsonType = 'application/x-ndjson';

export interface Representation {
  type: typeof arrowStreamType | typeof jsonType | typeof ndjsonType;
  /** Compression of record batches, if the client accepts it: `…arrow.stream; codecs="zstd,lz4"`. */
  compression: CompressionName | undefined;
}

/** In order of preference, for clients that accept any type. */
const offered: readonly { type: Representation['type']; names: readonly string[] }[] = [
  { type: arrowStreamType, names: [arrowStreamType] },
  { type: jsonType, names: [jsonType] },
  { type: ndjsonType, names: [ndjsonType, 'application/ndjson', 'application/jsonl'] },
];

interface Range {
  name: string;
  quality: number;
  codecs: string[];
}

/** @returns undefined when the client accepts none of the representations */
export function negotiate(accept: string | undefined): Representation | undefined {
  const ranges = (accept?.trim() ? accept : '*/*').split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map(parseRange);
  let best: { representation: Representation; quality: number } | undefined;
  for (const { type, names } of offered) {
    const range = matchingRange(ranges, names);
    if (!range || range.quality === 0 || range.quality <= (best?.quality ?? 0)) continue;
    best = { representation: { type, compression: compressionOf(type, range) }, quality: range.quality };
  }
  return best?.representation;
}

/** The most specific range for these names: an exact one, else any application type, else any type. */
function matchingRange(ranges: readonly Range[], names: readonly string[]): Range | undefined {
  return (
    ranges.find(({ name }) => names.includes(name)) ??
    ranges.find(({ name }) => name === 'application/*') ??
    ranges.find(({ name }) => name === '*/*')
  );
}

function parseRange(text: string): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  const range: Range = { name: name.toLowerCase(), quality: 1, codecs: [] };
  for (const parameter of parameters) {
    const [key, value = ''] = parameter.split('=', 2);
    if (key?.toLowerCase() === 'q') range.quality = Number.parseFloat(value) || 0;
    if (key?.toLowerCase() === 'codecs')
      range.codecs = value
        .replaceAll('"', '')
        .toLowerCase()
        .split(/[\s,]+/);
  }
  return range;
}

function compressionOf(type: Representation['type'], { codecs }: Range): CompressionName | undefined {
  if (type !== arrowStreamType) return undefined;
  return codecs.find((name): name is CompressionName => name === 'zstd' || name === 'lz4');
}
