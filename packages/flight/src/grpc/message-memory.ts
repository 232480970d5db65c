/**
 * Memory for messages that come, taken from messages that were used up. Memory that the system has to supply afresh, page by page, costs
 * more than to fill it, and what was used a moment ago is still in the processor's caches.
 */

/** For smaller ones Node.js has memory at hand, which it shares between many. */
const leastReusedBytes = 16_384;
/** Free memory that is kept: as many small messages come at once, and one of any size. */
const mostFreeBytes = 8 * 1024 ** 2;
/** Messages of a stream are mostly alike: what does not fit among the last is not looked for. */
const mostLooks = 4;

export class MessageMemory {
  /** Handed out and not released, so that nothing else is taken for free, nor the same twice. */
  private readonly lent = new WeakSet<ArrayBufferLike>();
  private readonly free: Buffer[] = [];
  private freeBytes = 0;

  /** @returns at least so many bytes, of any content */
  allocate(bytes: number): Buffer {
    if (bytes < leastReusedBytes) return Buffer.allocUnsafe(bytes);
    const memory = this.freeFor(bytes) ?? Buffer.allocUnsafeSlow(bytes);
    this.lent.add(memory.buffer);
    return memory;
  }

  /** Nobody reads `message`, which lies in memory from here, any more. */
  release({ buffer }: Uint8Array): void {
    if (!this.lent.delete(buffer)) return;
    this.free.push(Buffer.from(buffer as ArrayBuffer));
    this.freeBytes += buffer.byteLength;
    while (this.freeBytes > mostFreeBytes && this.free.length > 1) this.take(0);
  }

  private freeFor(bytes: number): Buffer | undefined {
    for (let i = this.free.length - 1; i >= Math.max(0, this.free.length - mostLooks); i--) {
      const { length } = this.free[i] as Buffer;
      // Not if it is twice as large: a small message would keep the memory of a large one.
      if (length >= bytes && length <= 2 * bytes) return this.take(i);
    }
    return undefined;
  }

  private take(index: number): Buffer {
    const [memory] = this.free.splice(index, 1) as [Buffer];
    this.freeBytes -= memory.length;
    return memory;
  }
}
