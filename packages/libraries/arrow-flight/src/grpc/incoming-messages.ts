/**
 * Incoming messages of one HTTP/2 stream, read one by one. The queue is bounded: beyond the limit the stream grants no
 * further window, so flow control slows the sender down to the pace of the consumer.
 */
import type { BodySink, Http2Stream } from '@topo-bench/http2';
import { FlightError } from '../errors.ts';
import type { ByteAccount } from './byte-limits.ts';
import { type FindAligned, MessageAssembler } from './message-assembler.ts';
import { messageMemory } from './message-memory.ts';

export interface IncomingOptions {
  /** Max size of a message in bytes. */
  maxMessageBytes: number;
  /** Max bytes of complete messages queued for the consumer. */
  bufferBytes: number;
  findAligned?: FindAligned;
  /** Counts the memory of an unfinished message. Default: no limit. */
  unfinished?: ByteAccount;
}

/** Before the caller is known, all bytes count. */
interface BeforeLogin {
  account: ByteAccount;
  bytes: number;
  onExceeded: (error: unknown) => void;
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
  private beforeLogin: BeforeLogin | undefined;

  constructor(
    private readonly stream: Http2Stream,
    private readonly options: IncomingOptions,
  ) {
    this.assembler = new MessageAssembler(
      options.maxMessageBytes,
      (message) => this.deliver(message),
      options.findAligned,
      messageMemory,
      options.unfinished,
    );
  }

  get maxMessageBytes(): number {
    return this.options.maxMessageBytes;
  }

  /**
   * Limits what the peer may send until `liftLimit`.
   * @param onExceeded must end the messages
   */
  limit(account: ByteAccount, onExceeded: (error: unknown) => void): void {
    if (this.end) return;
    this.beforeLogin = { account, bytes: 0, onExceeded };
    this.assembler.isTrusted = false;
  }

  liftLimit(): void {
    this.beforeLogin?.account.add(-this.beforeLogin.bytes);
    this.beforeLogin = undefined;
    this.assembler.isTrusted = true;
  }

  /**
   * Ends the messages. Queued messages are delivered first; waiting reads then end or fail. Only the first call counts.
   */
  finish(error?: unknown): void {
    if (this.end) return;
    const cut = error === undefined && !this.assembler.isBetweenMessages;
    this.end = { error: cut ? new FlightError('internal', 'the stream ended in the middle of a message') : error };
    this.assembler.drop();
    for (const waiter of this.waiters.splice(0)) {
      if (this.end.error === undefined) waiter.resolve({ done: true, value: undefined });
      else waiter.reject(this.end.error);
    }
  }

  /** Fails the call and drops queued messages. */
  fail(error: unknown): void {
    this.liftLimit();
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
   * Returns the memory of a delivered message for reuse. Call it at most once per message, after the last read of it.
   */
  release(message: Uint8Array): void {
    messageMemory.release(message);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Called by the stream; data after the end is dropped. */
  take(chunk: Uint8Array): void {
    if (this.end || !this.isWithinLimit(chunk.length)) return;
    try {
      this.assembler.take(chunk);
    } catch (error) {
      this.finish(error);
    }
  }

  space(maxBytes: number): Uint8Array | undefined {
    return this.end || this.beforeLogin ? undefined : this.assembler.space(maxBytes);
  }

  /** May be called after the end: the system can still own the memory then. */
  filled(bytes: number): void {
    if (!this.end) this.assembler.filled(bytes);
  }

  private isWithinLimit(bytes: number): boolean {
    if (!this.beforeLogin) return true;
    const { account, onExceeded } = this.beforeLogin;
    try {
      account.add(bytes);
      this.beforeLogin.bytes += bytes;
      return true;
    } catch (error) {
      onExceeded(error);
      return false;
    }
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

/** Cost of a queued message in bytes. An empty message costs memory too, and a peer may send any number of them. */
function cost(message: Uint8Array): number {
  return message.length + 128;
}
