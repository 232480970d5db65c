/**
 * Memory of one governed batch. Fresh memory for each batch costs more than the rules: page faults and garbage
 * collections. It is reused once the batch is no longer read.
 */
import { messageMemory } from '@topo-bench/arrow-flight';
import { type Allocate, allocUninitialised } from './buffers.ts';

/** Smaller memory is cheap, and Node.js may take it from a slab that is shared. */
const minReusedBytes = 16_384;

export class BatchMemory {
  private readonly taken: Buffer[] = [];

  readonly allocate: Allocate = (bytes) => {
    if (bytes < minReusedBytes) return allocUninitialised(bytes);
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
