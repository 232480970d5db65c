/** The receive window of a stream or a connection. */
import { defaultWindowBytes } from './protocol.ts';

export class ReceiveWindow {
  /** Bytes that may be in flight or unconsumed. */
  private readonly bytes: number;
  private left: number;
  /** A smaller update is not worth a frame. */
  private readonly minUpdateBytes: number;

  /** @param bytes granted; the peer may use the default of the protocol until it has read our settings */
  constructor(bytes: number) {
    this.bytes = Math.max(bytes, defaultWindowBytes);
    this.minUpdateBytes = bytes / 4;
    this.left = this.bytes;
  }

  /** @returns whether the window allowed it */
  take(bytes: number): boolean {
    this.left -= bytes;
    return this.left >= 0;
  }

  /** Reopens the window when it is worth a frame. @returns the increment to send, 0 for none */
  refill(): number {
    const used = this.bytes - this.left;
    if (used < this.minUpdateBytes) return 0;
    this.left = this.bytes;
    return used;
  }
}
