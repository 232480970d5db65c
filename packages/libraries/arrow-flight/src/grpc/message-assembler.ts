/**
 * Assembles messages from the chunks of an HTTP/2 stream. Chunks go straight to their position in the message, or are
 * read there directly. Memory is chosen so that the part to align is aligned. A peer may announce any size: beyond a
 * usual batch, memory grows with what has arrived, and moves.
 */
import type { BodySink } from '@topo-bench/http2';
import type { ByteAccount } from './byte-limits.ts';
import { frameBytes, readFrame } from './frame.ts';
import { type MessageMemory, messageMemory } from './message-memory.ts';

/** Position of the part of a message that must start at a multiple of eight bytes. */
export type FindAligned = (
  /** The bytes of the message received so far. */
  head: Uint8Array,
) => number | 'none' | 'unknown yet';

/** Max number of bytes to inspect for the aligned part; a longer head is placed without alignment. */
const maxHeadBytes = 65_536;
/** Memory that is allocated for an announced message before it arrives: more than a usual batch of 3.2 MB. */
const usualBytes = 4 * 1024 ** 2;
/** Growth of larger messages. Their bytes move once per step. */
const growth = 4;

export class MessageAssembler implements BodySink {
  private readonly frame = new Uint8Array(frameBytes);
  private frameFilled = 0;
  /** Length of the current message; -1 between messages. */
  private expected = -1;
  private head: Uint8Array | undefined;
  /** Memory of the message: its size, or the part that may be filled so far. */
  private message: Uint8Array | undefined;
  /** Unused bytes before `message`, for alignment. */
  private shift = 0;
  private filledBytes = 0;
  /** Bytes of the unfinished message in the account. */
  private countedBytes = 0;
  /** Whether the peer may have memory before it has filled it. */
  isTrusted = true;

  constructor(
    private readonly maxMessageBytes: number,
    private readonly onMessage: (message: Uint8Array) => void,
    private readonly findAligned?: FindAligned,
    private readonly memory: MessageMemory = messageMemory,
    private readonly account?: ByteAccount,
  ) {}

  /** Whether the stream is between two messages. */
  get isBetweenMessages(): boolean {
    return this.expected === -1 && this.frameFilled === 0;
  }

  /** Drops an unfinished message. Nothing may follow. */
  drop(): void {
    this.message = undefined;
    this.head = undefined;
    this.count(0);
  }

  /** Memory for the next bytes of the message, once known. */
  space(maxBytes: number): Uint8Array | undefined {
    // Only `take` allocates more: it can report that there is none.
    return this.message?.subarray(this.filledBytes, this.filledBytes + maxBytes);
  }

  filled(bytes: number): void {
    this.filledBytes += bytes;
    if (this.message && this.filledBytes === this.expected) this.finish(this.message);
  }

  /**
   * Does not retain `chunk`.
   * @throws FlightError when a frame is malformed, compressed or announces too long a message, and when the account
   * allows no more memory
   */
  take(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      at = this.expected === -1 ? this.takeFrame(chunk, at) : this.takeMessage(chunk, at);
    }
  }

  private takeFrame(chunk: Uint8Array, from: number): number {
    const taken = Math.min(frameBytes - this.frameFilled, chunk.length - from);
    this.frame.set(chunk.subarray(from, from + taken), this.frameFilled);
    this.frameFilled += taken;
    if (this.frameFilled < frameBytes) return from + taken;
    this.frameFilled = 0;
    this.expected = readFrame(this.frame, 0, this.maxMessageBytes);
    if (this.expected === 0) this.finish(new Uint8Array(0));
    return from + taken;
  }

  private takeMessage(chunk: Uint8Array, from: number): number {
    if (this.message?.length === this.filledBytes) this.grow(this.message);
    const before = this.head?.length ?? this.filledBytes;
    const part = chunk.subarray(from, from + (this.message?.length ?? this.expected) - before);
    if (this.message) {
      this.message.set(part, this.filledBytes);
      this.filled(part.length);
    } else {
      this.place(this.head ? Buffer.concat([this.head, part]) : part);
    }
    return from + part.length;
  }

  /** Allocates memory for the message, unless its head does not yet determine the alignment. */
  private place(head: Uint8Array): void {
    const isEnough = head.length === this.expected || head.length >= maxHeadBytes;
    const found = this.findAligned?.(head) ?? 'none';
    if (found === 'unknown yet' && !isEnough) {
      this.head = Buffer.from(head);
      return;
    }
    this.shift = typeof found === 'number' ? (8 - (found % 8)) % 8 : 0;
    this.allocate(head.length, head);
    this.head = undefined;
    this.filled(head.length);
  }

  private grow(before: Uint8Array): void {
    this.allocate(growth * before.length, before);
    this.memory.release(before);
  }

  private allocate(bytes: number, begin: Uint8Array): void {
    const size = Math.min(this.expected, Math.max(bytes, this.isTrusted ? usualBytes : 0));
    if (begin.length < this.expected) this.count(size);
    this.message = this.memory.allocate(size + this.shift).subarray(this.shift, this.shift + size);
    this.message.set(begin);
  }

  private count(bytes: number): void {
    if (bytes === this.countedBytes) return;
    this.account?.add(bytes - this.countedBytes);
    this.countedBytes = bytes;
  }

  private finish(message: Uint8Array): void {
    this.expected = -1;
    this.filledBytes = 0;
    this.message = undefined;
    this.count(0);
    this.onMessage(message);
  }
}
