/** Assembles header blocks from HEADERS and CONTINUATION frames, and decodes them. */
import { HpackDecoder, HpackError } from './hpack/decoder.ts';
import type { HeaderField } from './hpack/field.ts';
import { ConnectionFault, errorCodes, frameFlags } from './protocol.ts';

export interface HeaderBlock {
  streamId: number;
  /** END_STREAM was set. */
  isEnd: boolean;
  /** The list exceeds the limit; fields beyond it are missing. */
  isTooLong: boolean;
  fields: readonly HeaderField[];
  /** The priority names the stream itself. */
  isSelfDependent: boolean;
}

type Begun = Pick<HeaderBlock, 'streamId' | 'isEnd' | 'isSelfDependent'> & { parts: Buffer[]; bytes: number };

export class HeaderBlocks {
  private readonly decoder: HpackDecoder;
  private begun: Begun | undefined;

  /** @param maxBytes limit of a block, encoded and decoded */
  constructor(private readonly maxBytes: number) {
    this.decoder = new HpackDecoder({ maxListBytes: maxBytes });
  }

  /** The next frame must be CONTINUATION. */
  get isOpen(): boolean {
    return this.begun !== undefined;
  }

  /** @returns the block when it is complete. @throws ConnectionFault */
  begin(flags: number, streamId: number, payload: Buffer): HeaderBlock | undefined {
    let content = payload;
    let isSelfDependent = false;
    if (flags & frameFlags.padded) {
      const padding = content[0];
      if (padding === undefined || padding >= content.length) {
        throw new ConnectionFault(errorCodes.protocolError, 'headers have more padding than content');
      }
      content = content.subarray(1, content.length - padding);
    }
    if (flags & frameFlags.priority) {
      if (content.length < 5) throw new ConnectionFault(errorCodes.frameSizeError, 'headers end within their priority');
      isSelfDependent = (content.readUInt32BE(0) & 0x7fff_ffff) === streamId;
      content = content.subarray(5);
    }
    this.begun = { streamId, isEnd: (flags & frameFlags.endStream) !== 0, isSelfDependent, parts: [], bytes: 0 };
    return this.add(flags, content);
  }

  /** @returns the block when it is complete. @throws ConnectionFault */
  proceed(flags: number, streamId: number, payload: Buffer): HeaderBlock | undefined {
    if (this.begun?.streamId !== streamId) {
      throw new ConnectionFault(errorCodes.protocolError, 'headers are continued that were not begun');
    }
    return this.add(flags, payload);
  }

  private add(flags: number, content: Buffer): HeaderBlock | undefined {
    const begun = this.begun as Begun;
    begun.bytes += content.length;
    if (begun.bytes > this.maxBytes || begun.parts.length > 64) {
      throw new ConnectionFault(
        errorCodes.enhanceYourCalm,
        `headers of more than ${this.maxBytes} bytes, or in too many parts`,
      );
    }
    const isWhole = (flags & frameFlags.endHeaders) !== 0;
    begun.parts.push(isWhole && begun.parts.length === 0 ? content : Buffer.from(content));
    if (!isWhole) return undefined;
    this.begun = undefined;
    const { parts, bytes: _, ...block } = begun;
    return { ...block, ...this.decode(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)) };
  }

  private decode(block: Buffer): Pick<HeaderBlock, 'fields' | 'isTooLong'> {
    try {
      return this.decoder.decode(block);
    } catch (error) {
      if (error instanceof HpackError) throw new ConnectionFault(errorCodes.compressionError, error.message);
      throw error;
    }
  }
}
