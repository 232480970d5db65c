/**
 * The fields that the peer has added (RFC 7541, sections 2.3.2 and 4): the newest first, the oldest dropped where
 * they would take more than the size in force.
 */
import type { HeaderField } from './field.ts';

/** Overhead of each field in addition to its name and value, in the table as in a list (RFC 7541, section 4.1). */
const fieldOverheadBytes = 32;

export function fieldBytes([name, value]: HeaderField): number {
  return name.length + value.length + fieldOverheadBytes;
}

export class DynamicTable {
  /** A ring: the newest lies at `newest`, the others behind it. */
  private readonly ring: (HeaderField | undefined)[];
  private newest = 0;
  private count = 0;
  private usedBytes = 0;

  /** @param maxBytes it is never allowed more; @param sizeBytes what is in force at first */
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

  /** A field larger than the table empties it, and that is no error. */
  add(field: HeaderField): void {
    const bytes = fieldBytes(field);
    this.shrinkTo(this.sizeBytes - bytes);
    if (bytes > this.sizeBytes) return;
    this.newest = (this.newest + this.ring.length - 1) % this.ring.length;
    this.ring[this.newest] = field;
    this.count += 1;
    this.usedBytes += bytes;
  }

  /** @returns false where that is more than is allowed */
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
