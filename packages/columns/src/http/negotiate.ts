/** Which form of a table a client gets: the best of those that its `Accept` header names (RFC 9110, 12.5.1). */
import { arrowStreamType, type CompressionName } from '@topo-bench/arrow-flight/ipc';

export const jsonType = 'application/json';
export const ndjsonType = 'application/x-ndjson';

export interface Representation {
  type: typeof arrowStreamType | typeof jsonType | typeof ndjsonType;
  /** Of record batches, when the client asked for it: `…arrow.stream; codecs="zstd,lz4"`. */
  compression: CompressionName | undefined;
}

/** In order of our preference, for clients that take anything. */
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

/** @returns undefined when the client takes none of our forms */
export function negotiate(accept: string | undefined): Representation | undefined {
  const ranges = (accept?.trim() ? accept : '*/*').split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map(parseRange);
  let best: { representation: Representation; quality: number } | undefined;
  for (const { type, names } of offered) {
    const range = maxSpecific(ranges, names);
    if (!range || range.quality === 0 || range.quality <= (best?.quality ?? 0)) continue;
    best = { representation: { type, compression: compressionOf(type, range) }, quality: range.quality };
  }
  return best?.representation;
}

/** The range that speaks of these names: an exact one, else `application/*`, else any. */
function maxSpecific(ranges: readonly Range[], names: readonly string[]): Range | undefined {
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
