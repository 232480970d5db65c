/**
 * Compression of single buffers, as Arrow's IPC format has it: each buffer a frame of its own. Loaded when a stream
 * asks for it.
 */
import type { CompressionName } from '../decode-message.ts';

export interface Codec {
  readonly name: CompressionName;
  /** @returns a frame; it may be longer than the input */
  compress(bytes: Uint8Array): Uint8Array;
  /**
   * @param size bytes that must come out, no more and no fewer
   * @throws ArrowError `ARROW_MALFORMED`
   */
  decompress(frame: Uint8Array, size: number): Uint8Array;
}

const codecs: Record<CompressionName, () => Promise<Codec>> = {
  lz4: async () => (await import('./lz4-frame.ts')).lz4,
  zstd: async () => (await import('./zstd.ts')).loadZstd(),
};

/** The codec of that name; `zstd` compiles its WebAssembly at the first call. */
export function loadCodec(name: CompressionName): Promise<Codec> {
  return codecs[name]();
}

export type Codecs = Readonly<Partial<Record<CompressionName, Codec>>>;

/** All codecs, for readers that cannot know what will come. */
export async function loadCodecs(): Promise<Codecs> {
  const [lz4, zstd] = await Promise.all([loadCodec('lz4'), loadCodec('zstd')]);
  return { lz4, zstd };
}
