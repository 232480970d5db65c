/**
 * The dynamic table of a decoder (RFC 7541, sections 2.3.2 and 4), newest field first. The oldest fields are evicted
 * when the table exceeds its current size.
 */
import type { HeaderField } from './field.ts';

/** Overhead of each field in addition to its name and value, in tables and lists (RFC 7541, section 4.1). */
const fieldOverheadBytes = 32;

export function fieldBytes([name, value]: HeaderField): number {
  return name.length + value.length + fieldOverheadBytes;
}

export class DynamicTable {
  /** Ring buffer: the newest field is at `newest`, older ones follow. */
  private readonly ring: (HeaderField | undefined)[];
  private newest = 0;
  private count = 0;
  private usedBytes = 0;

  /**
   * @param maxBytes max size of the table
   * @param sizeBytes initial size
   */
  constructor(
    private readonly maxBytes: number,
    private sizeBytes: number,
  ) {
    this.ring = new Array<HeaderField | undefined>(Math.floor(maxBytes / fieldOverheadBytes) + 1).fill(undefined);
  }

  /** @param index 0 for the newest */
  at(index: number): HeaderField | undefined {
    return index < this.count ? this.ring[(this.newest + index) % this.ring.length] : undefined;
  }

  /** Adds a field. A field larger than the table empties it, which is not an error. */
  add(field: HeaderField): void {
    const bytes = fieldBytes(field);
    this.shrinkTo(this.sizeBytes - bytes);
    if (bytes > this.sizeBytes) return;
    this.newest = (this.newest + this.ring.length - 1) % this.ring.length;
    this.ring[this.newest] = field;
    this.count += 1;
    this.usedBytes += bytes;
  }

  /** @returns false when the size exceeds the maximum */
  resize(sizeBytes: number): boolean {
    if (sizeBytes > this.maxBytes) return false;
    this.sizeBytes = sizeBytes;
    this.shrinkTo(sizeBytes);
    return true;
  }

  private shrinkTo(bytes: number): void {
    while (this.count > 0 && this.usedBytes > bytes) {
      const oldest = (this.newest + this.count - 1) % this.ring.length;
      this.usedBytes -= fieldBytes(this.ring[oldest] as HeaderField);
      this.ring[oldest] = undefined;
      this.count -= 1;
    }
  }
}
