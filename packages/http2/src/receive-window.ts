/** What the other side may still send, of one stream or of the whole connection. */
import { defaultWindowBytes } from './protocol.ts';

export class ReceiveWindow {
  /** That may be under way or waiting at a time. */
  private readonly bytes: number;
  private left: number;
  /** Below it an update is not worth a frame. */
  private readonly minUpdateBytes: number;

  /** @param bytes that are granted; until the other side knows, it may use the protocol's default */
  constructor(bytes: number) {
    this.bytes = Math.max(bytes, defaultWindowBytes);
    this.minUpdateBytes = bytes / 4;
    this.left = this.bytes;
  }

  /** @returns whether so much was allowed */
  take(bytes: number): boolean {
    this.left -= bytes;
    return this.left >= 0;
  }

  /** Opens it again as far as is worth a frame. @returns bytes to tell the other side of, 0 for none */
  refill(): number {
    const used = this.bytes - this.left;
    if (used < this.minUpdateBytes) return 0;
    this.left = this.bytes;
    return used;
  }
}
