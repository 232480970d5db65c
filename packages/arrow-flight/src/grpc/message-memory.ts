/**
 * Memory for messages that arrive, reused from messages that were released. Fresh memory, which the system supplies
 * page by page, costs more than filling it, and it makes V8 collect garbage. What was used a moment ago is still in
 * the processor's caches.
 */

/** For smaller ones Node.js has memory at hand, which it shares between many. */
const minReusedBytes = 16_384;
/**
 * Free memory that is kept, in bytes: two messages each of 16 streams with the usual batches of 3.2 MB; at least one
 * of any size.
 */
const maxFreeBytes = 128 * 1024 ** 2;
/** Free memory that has not been used for this long is given up. */
const idleMs = 10_000;
/** Lengths are rounded up to this, as peers encode the same batch with some bytes more or less. */
const pageBytes = 4096;
/** Messages are mostly alike: only the memory released last is searched for one that fits. */
const maxSearched = 16;

export class MessageMemory {
  /** Handed out and not released, so that nothing else is taken for free, nor the same twice. */
  private readonly lent = new WeakSet<ArrayBufferLike>();
  private readonly free: Buffer[] = [];
  private freeBytes = 0;
  private wasUsed = false;
  private idleTimer: NodeJS.Timeout | undefined;

  /** @returns at least so many bytes, of any content */
  allocate(bytes: number): Buffer {
    if (bytes < minReusedBytes) return Buffer.allocUnsafe(bytes);
    const memory = this.freeFor(bytes) ?? Buffer.allocUnsafeSlow(Math.ceil(bytes / pageBytes) * pageBytes);
    this.lent.add(memory.buffer);
    this.wasUsed = true;
    return memory;
  }

  /** Nobody reads `message`, which lies in memory from here, any more. */
  release({ buffer }: Uint8Array): void {
    if (!this.lent.delete(buffer)) return;
    this.free.push(Buffer.from(buffer as ArrayBuffer));
    this.freeBytes += buffer.byteLength;
    while (this.freeBytes > maxFreeBytes && this.free.length > 1) this.take(0);
    this.wasUsed = true;
    this.idleTimer ??= setTimeout(() => this.giveUpIdle(), idleMs).unref();
  }

  private giveUpIdle(): void {
    this.idleTimer = undefined;
    if (this.wasUsed) {
      this.wasUsed = false;
      this.idleTimer = setTimeout(() => this.giveUpIdle(), idleMs).unref();
    } else {
      this.free.length = 0;
      this.freeBytes = 0;
    }
  }

  private freeFor(bytes: number): Buffer | undefined {
    for (let i = this.free.length - 1; i >= Math.max(0, this.free.length - maxSearched); i--) {
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

/**
 * Of all calls of the process: a call begins with memory that earlier calls have warmed, and calls of many streams
 * share what is free.
 */
export const messageMemory = new MessageMemory();
