/** What the other side may still send, of one stream or of the whole connection. */
export class ReceiveWindow {
  private left: number;

  /** @param bytes that may be under way or waiting at a time */
  constructor(private readonly bytes: number) {
    this.left = bytes;
  }

  /** @returns whether so much was allowed */
  take(bytes: number): boolean {
    this.left -= bytes;
    return this.left >= 0;
  }

  /** Opens it again as far as is worth a frame. @returns bytes to tell the other side of, 0 for none */
  refill(): number {
    const used = this.bytes - this.left;
    if (used < this.bytes / 4) return 0;
    this.left = this.bytes;
    return used;
  }
}
