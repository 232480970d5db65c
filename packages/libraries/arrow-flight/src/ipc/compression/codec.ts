/** Buffer compression of Arrow's IPC format: each buffer is a separate frame. Loaded on demand. */
import type { CompressionName } from '../decode-message.ts';
import type { Codec } from './buffer-codec.ts';

const codecs: Record<CompressionName, () => Promise<Codec>> = {
  lz4: async () => (await import('./lz4-frame.ts')).lz4,
  zstd: async () => (await import('./zstd.ts')).loadZstd(),
};

/** Loads a codec by name. `zstd` compiles its WebAssembly on the first call. */
export function loadCodec(name: CompressionName): Promise<Codec> {
  return codecs[name]();
}

export type Codecs = Readonly<Partial<Record<CompressionName, Codec>>>;

/** Loads all codecs, for readers of any stream. */
export async function loadCodecs(): Promise<Codecs> {
  const [lz4, zstd] = await Promise.all([loadCodec('lz4'), loadCodec('zstd')]);
  return { lz4, zstd };
}
