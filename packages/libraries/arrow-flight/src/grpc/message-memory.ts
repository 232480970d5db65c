/**
 * Reuses the memory of released messages for new ones. Fresh memory costs more than filling it, since the system
 * provides it page by page, and it triggers garbage collections. Recently used memory is still in the processor's
 * caches.
 */

/** Min size for reuse: Node.js pools smaller buffers itself. */
const minReusedBytes = 16_384;
/**
 * Max free memory in bytes: two messages for each of 16 streams with common batches of 3.2 MB. At least one message of
 * any size is kept.
 */
const maxFreeBytes = 128 * 1024 ** 2;
/** Free memory is dropped after this idle time. */
const idleMs = 10_000;
/** Sizes are rounded up to this: peers encode the same batch with slightly different lengths. */
const pageBytes = 4096;
/** Max number of recently released buffers to search: messages are mostly of similar size. */
const maxSearched = 16;

export class MessageMemory {
  /** Buffers in use. Prevents the release of foreign memory and double releases. */
  private readonly lent = new WeakSet<ArrayBufferLike>();
  private readonly free: Buffer[] = [];
  private freeBytes = 0;
  private wasUsed = false;
  private idleTimer: NodeJS.Timeout | undefined;

  /** @returns at least `bytes` bytes with arbitrary content */
  allocate(bytes: number): Buffer {
    if (bytes < minReusedBytes) return Buffer.allocUnsafe(bytes);
    const memory = this.freeFor(bytes) ?? Buffer.allocUnsafeSlow(Math.ceil(bytes / pageBytes) * pageBytes);
    this.lent.add(memory.buffer);
    this.wasUsed = true;
    return memory;
  }

  /** Releases the memory of `message`, which must not be read afterwards. */
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
      // Not if more than twice as large: a small message would occupy the memory of a large one.
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

/** Shared by all calls of the process: a call starts with warm memory, and concurrent streams share free buffers. */
export const messageMemory = new MessageMemory();
