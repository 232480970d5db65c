/**
 * Puts messages together from the chunks of an HTTP/2 stream, with one copy or none: every chunk goes straight to its
 * place in the message, if it is not read there in the first place, and the message lies in memory such that the part
 * that must be aligned is.
 */
import type { BodySink } from '@topo-bench/http2';
import { frameBytes, readFrame } from './frame.ts';
import { type MessageMemory, messageMemory } from './message-memory.ts';

/** Where in a message the part lies that is to begin at a multiple of eight bytes. */
export type FindAligned = (
  /** The message's first bytes, as many as have come. */
  head: Uint8Array,
) => number | 'none' | 'unknown yet';

/** Once as many bytes have not told where the aligned part begins, the message is taken as it falls. */
const maxHeadBytes = 65_536;

export class MessageAssembler implements BodySink {
  private readonly frame = new Uint8Array(frameBytes);
  private frameFilled = 0;
  /** Length of the message that is being read; -1 between messages. */
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

  /** Whether the last byte that came ended a message. */
  get isBetweenMessages(): boolean {
    return this.expected === -1 && this.frameFilled === 0;
  }

  /** Where in the message the next bytes belong, once that is known. */
  space(maxBytes: number): Uint8Array | undefined {
    return this.message?.subarray(this.filledBytes, Math.min(this.expected, this.filledBytes + maxBytes));
  }

  filled(bytes: number): void {
    this.filledBytes += bytes;
    if (this.message && this.filledBytes === this.expected) this.finish(this.message);
  }

  /**
   * Keeps nothing of `chunk`.
   * @throws FlightError when a frame is malformed, compressed or announces more than allowed
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

  /** Finds memory for the message, unless its head does not say yet how it is to lie there. */
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
