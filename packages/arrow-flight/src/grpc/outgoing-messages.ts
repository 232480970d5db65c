/**
 * Sends messages on one HTTP/2 stream without copying them, and holds the sender back when the receiver does not keep
 * up.
 */
import type { Http2Stream } from '@topo-bench/http2';
import { FlightError } from '../errors.ts';
import { frameOf } from './frame.ts';

export class OutgoingMessages {
  private waiters: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  private end: { error: unknown } | undefined;

  /**
   * @param bufferBytes that may wait in the stream before `send` waits; one message may always
   * @param beforeSend called before each message; opens the answer of a server
   */
  constructor(
    private readonly stream: Http2Stream,
    private readonly bufferBytes: number,
    private readonly beforeSend: () => void = () => {},
  ) {}

  /** Sends one message, framed here. */
  send(message: Uint8Array): Promise<void> | undefined {
    return this.sendFramed([frameOf(message)]);
  }

  /**
   * Sends messages that begin with their frames.
   * @param pieces in order; not to be changed until they have left, so better never
   * @returns undefined when more may be sent at once, else a promise for that moment; it fails when the call has ended
   */
  sendFramed(pieces: readonly Uint8Array[]): Promise<void> | undefined {
    if (this.end) return Promise.reject(this.end.error);
    if (this.stream.isSendingOver) {
      return Promise.reject(new FlightError('cancelled', 'the other side takes no more messages of this call'));
    }
    this.beforeSend();
    this.stream.write(pieces);
    if (this.stream.queuedBytes < this.bufferBytes) return undefined;
    return new Promise((resolve, reject) => {
      this.waiters.push({ resolve, reject });
    });
  }

  /** Some of what waited has gone. */
  onSent(): void {
    if (this.waiters.length === 0 || this.stream.queuedBytes >= this.bufferBytes) return;
    for (const waiter of this.waiters.splice(0)) waiter.resolve();
  }

  /** The call is over: whoever waits to send is told. */
  fail(error: unknown): void {
    this.end ??= { error };
    for (const waiter of this.waiters.splice(0)) waiter.reject(error);
  }
}
