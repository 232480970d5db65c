/** Writes header blocks as HEADERS and CONTINUATION frames (RFC 9113, section 6.10). */
import type { FrameOutput } from './frame-output.ts';
import { type Headers, listHeaders } from './headers.ts';
import { emptyDynamicTableUpdate, encodeHeaders } from './hpack/encoder.ts';
import { frameFlags, frameTypes } from './protocol.ts';

export class HeaderWriter {
  private isFirst = true;

  constructor(private readonly output: FrameOutput) {}

  /** @param maxFrameBytes largest frame that the peer accepts. @throws RangeError for headers that cannot be sent */
  write(streamId: number, headers: Headers, isEnd: boolean, maxFrameBytes: number): void {
    const fields = encodeHeaders(listHeaders(headers));
    const block = this.isFirst ? Buffer.concat([emptyDynamicTableUpdate, fields]) : fields;
    this.isFirst = false;
    let type: number = frameTypes.headers;
    for (let at = 0; at === 0 || at < block.length; at += maxFrameBytes) {
      const endHeaders = at + maxFrameBytes >= block.length ? frameFlags.endHeaders : 0;
      const endStream = isEnd && type === frameTypes.headers ? frameFlags.endStream : 0;
      this.output.frame(type, endHeaders | endStream, streamId, block.subarray(at, at + maxFrameBytes));
      type = frameTypes.continuation;
    }
  }
}
