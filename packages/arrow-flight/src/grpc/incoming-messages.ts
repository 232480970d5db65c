/**
 * The messages that come on one HTTP/2 stream, for whoever asks for them one by one. What has come and was not asked
 * for yet is bounded: beyond it the stream grants no more, flow control holds the sender back, and so the slowest
 * part of a pipeline sets its pace.
 */
import type { BodySink, Http2Stream } from '@topo-bench/http2';
import { FlightError } from '../errors.ts';
import { type FindAligned, MessageAssembler } from './message-assembler.ts';
import { messageMemory } from './message-memory.ts';

export interface IncomingOptions {
  /** Longest message accepted, in bytes. */
  maxMessageBytes: number;
  /** Bytes of whole messages that may wait for the consumer. */
  bufferBytes: number;
  findAligned?: FindAligned;
}

interface Waiter {
  resolve: (result: IteratorResult<Uint8Array, undefined>) => void;
  reject: (error: unknown) => void;
}

export class IncomingMessages implements AsyncIterableIterator<Uint8Array, undefined>, BodySink {
  private readonly queue: Uint8Array[] = [];
  private queuedBytes = 0;
  private isHolding = false;
  private readonly waiters: Waiter[] = [];
  private end: { error?: unknown } | undefined;
  private readonly assembler: MessageAssembler;

  constructor(
    private readonly stream: Http2Stream,
    private readonly options: IncomingOptions,
  ) {
    this.assembler = new MessageAssembler(
      options.maxMessageBytes,
      (message) => this.deliver(message),
      options.findAligned,
      messageMemory,
    );
  }

  /** Nothing comes any more: whoever waits is told, after the messages that wait. The first end counts. */
  finish(error?: unknown): void {
    if (this.end) return;
    const cut = error === undefined && !this.assembler.isBetweenMessages;
    this.end = { error: cut ? new FlightError('internal', 'the stream ended in the middle of a message') : error };
    for (const waiter of this.waiters.splice(0)) {
      if (this.end.error === undefined) waiter.resolve({ done: true, value: undefined });
      else waiter.reject(this.end.error);
    }
  }

  /** The call is over: waiting messages are dropped too. */
  fail(error: unknown): void {
    this.queue.length = 0;
    this.queuedBytes = 0;
    this.hold(false);
    this.end = undefined;
    this.finish(error);
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const message = this.queue.shift();
    if (message) {
      this.queuedBytes -= cost(message);
      if (this.isHolding && this.queuedBytes < this.options.bufferBytes) this.hold(false);
      return Promise.resolve({ done: false, value: message });
    }
    if (this.end) {
      return this.end.error === undefined
        ? Promise.resolve({ done: true, value: undefined })
        : Promise.reject(this.end.error);
    }
    return new Promise((resolve, reject) => {
      this.waiters.push({ resolve, reject });
    });
  }

  /**
   * Lets the memory of a message that was handed out, and is not read any more, be used for one that comes. Once per
   * message.
   */
  release(message: Uint8Array): void {
    messageMemory.release(message);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Of the stream; what comes after the end is dropped. */
  take(chunk: Uint8Array): void {
    if (this.end) return;
    try {
      this.assembler.take(chunk);
    } catch (error) {
      this.finish(error);
    }
  }

  space(maxBytes: number): Uint8Array | undefined {
    return this.end ? undefined : this.assembler.space(maxBytes);
  }

  /** After the end too: the system may have been told of the memory before. */
  filled(bytes: number): void {
    if (!this.end) this.assembler.filled(bytes);
  }

  private hold(isHolding: boolean): void {
    this.isHolding = isHolding;
    this.stream.hold(isHolding);
  }

  private deliver(message: Uint8Array): void {
    const waiter = this.waiters.shift();
    if (waiter) {
      waiter.resolve({ done: false, value: message });
      return;
    }
    this.queue.push(message);
    this.queuedBytes += cost(message);
    if (!this.isHolding && this.queuedBytes >= this.options.bufferBytes) this.hold(true);
  }
}

/** Bytes that a waiting message takes: also an empty one is an object, and a sender may send any number of them. */
function cost(message: Uint8Array): number {
  return message.length + 128;
}
