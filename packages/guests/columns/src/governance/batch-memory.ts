/**
 * Memory of one governed batch. Fresh memory for each batch costs more than the rules: page faults and garbage
 * collections. It is reused once the batch is no longer read.
 */
import { messageMemory } from '@topo-bench/arrow-flight';

/** @returns memory of at least `bytes` bytes with arbitrary content; the caller writes every byte that it uses */
export type Allocate = (bytes: number) => ArrayBuffer;

/** Memory that is never reused. */
export const freshMemory: Allocate = (bytes) => new ArrayBuffer(bytes);

/** Smaller memory is cheap, and Node.js may take it from a slab that is shared. */
const minReusedBytes = 16_384;

export class BatchMemory {
  private readonly taken: Buffer[] = [];

  readonly allocate: Allocate = (bytes) => {
    if (bytes < minReusedBytes) return freshMemory(bytes);
    const memory = messageMemory.allocate(bytes);
    this.taken.push(memory);
    return memory.buffer as ArrayBuffer;
  };

  /**
   * Gives the memory to later batches. Nothing may read the batch afterwards. Without this call the garbage collector
   * frees it.
   */
  readonly release = (): void => {
    for (const memory of this.taken.splice(0)) messageMemory.release(memory);
  };
}
