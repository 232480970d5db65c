/** Units of the figures in `/proc`, from the auxiliary vector that the kernel passes to every process. */
import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';

export interface KernelUnits {
  /** Bytes of a page of memory. */
  pageBytes: number;
  /** Ticks per second of CPU times in `/proc/<pid>/stat` (USER_HZ). */
  ticksPerSecond: number;
}

// Types of entries of the auxiliary vector (getauxval(3)).
const pageSizeType = 6n;
const clockTickType = 17n;
const wordBytes = 8;
/** Values of most hosts, for hosts that hide the auxiliary vector. */
const usual: KernelUnits = { pageBytes: 4096, ticksPerSecond: 100 };

let known: KernelUnits | undefined;

/** Read once per process. */
export function kernelUnits(): KernelUnits {
  known ??= readUnits();
  return known;
}

function readUnits(): KernelUnits {
  try {
    return unitsOf(readFileSync('/proc/self/auxv'));
  } catch {
    return usual;
  }
}

/** @param vector pairs of type and value, each a word of 64 bits in the byte order of the host */
export function unitsOf(vector: Buffer): KernelUnits {
  const word = (at: number): bigint =>
    endianness() === 'LE' ? vector.readBigUInt64LE(at) : vector.readBigUInt64BE(at);
  const units = { ...usual };
  for (let at = 0; at + 2 * wordBytes <= vector.length; at += 2 * wordBytes) {
    const value = Number(word(at + wordBytes));
    if (word(at) === pageSizeType) units.pageBytes = value;
    if (word(at) === clockTickType) units.ticksPerSecond = value;
  }
  return units;
}
