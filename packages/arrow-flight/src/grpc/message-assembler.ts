/**
 * Assembles messages from the chunks of an HTTP/2 stream, with at most one copy. Chunks go straight to their position
 * in the message, or are read there directly. Memory is chosen so that the part to align is aligned.
 */
import type { BodySink } from '@topo-bench/http2';
import { frameBytes, readFrame } from './frame.ts';
import { type MessageMemory, messageMemory } from './message-memory.ts';

/** Position of the part of a message that must start at a multiple of eight bytes. */
export type FindAligned = (
  /** The bytes of the message received so far. */
  head: Uint8Array,
) => number | 'none' | 'unknown yet';

/** Max number of bytes to inspect for the aligned part; a longer head is placed without alignment. */
const maxHeadBytes = 65_536;

export class MessageAssembler implements BodySink {
  private readonly frame = new Uint8Array(frameBytes);
  private frameFilled = 0;
  /** Length of the current message; -1 between messages. */
  private expected = -1;
  private head: Uint8Array | undefined;
  private message: Uint8Array | undefined;
  private filledBytes = 0;

  constructor(
    private readonly maxMessageBytes: number,
    private readonly onMessage: (message: Uint8Array) => void,
    private readonly findAligned?: FindAligned,
    private readonly memory: MessageMemory = messageMemory,
  ) {}

  /** Whether the stream is between two messages. */
  get isBetweenMessages(): boolean {
    return this.expected === -1 && this.frameFilled === 0;
  }

  /** Memory for the next bytes of the message, once known. */
  space(maxBytes: number): Uint8Array | undefined {
    return this.message?.subarray(this.filledBytes, Math.min(this.expected, this.filledBytes + maxBytes));
  }

  filled(bytes: number): void {
    this.filledBytes += bytes;
    if (this.message && this.filledBytes === this.expected) this.finish(this.message);
  }

  /**
   * Does not retain `chunk`.
   * @throws FlightError when a frame is malformed, compressed or announces too long a message
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
    const before = this.head?.length ?? this.filledBytes;
    const part = chunk.subarray(from, from + this.expected - before);
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
    const shift = typeof found === 'number' ? (8 - (found % 8)) % 8 : 0;
    this.message = this.memory.allocate(this.expected + shift).subarray(shift, shift + this.expected);
    this.message.set(head);
    this.head = undefined;
    this.filled(head.length);
  }

  private finish(message: Uint8Array): void {
    this.expected = -1;
    this.filledBytes = 0;
    this.message = undefined;
    this.onMessage(message);
  }
}
