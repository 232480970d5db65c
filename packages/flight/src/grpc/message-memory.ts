/**
 * Memory for messages that come, taken from messages that were used up. Memory that the system has to supply afresh, page by page, costs
 * more than to fill it, and what was used a moment ago is still in the processor's caches.
 */

/** Smaller messages come from memory that Node.js pools itself. */
const leastReusedBytes = 65_536;
/** One is being filled, while a few may be released at once after a stall. */
const mostFree = 4;

export class MessageMemory {
  private free: Buffer[] = [];

  /** @returns at least so many bytes, of any content */
  allocate(bytes: number): Buffer {
    if (bytes < leastReusedBytes) return Buffer.allocUnsafe(bytes);
    // Not twice as large: a small message would keep the memory of a large one.
    const found = this.free.findIndex(({ length }) => length >= bytes && length <= 2 * bytes);
    return found === -1 ? Buffer.allocUnsafeSlow(bytes) : (this.free.splice(found, 1)[0] as Buffer);
  }

  /** Nobody reads `message`, which lies in memory from here, any more. */
  release({ buffer }: Uint8Array): void {
    if (buffer.byteLength < leastReusedBytes) return;
    this.free.push(Buffer.from(buffer as ArrayBuffer));
    if (this.free.length > mostFree) this.free.shift();
  }
}
