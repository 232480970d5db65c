/** Sends messages on one HTTP/2 stream without copying them, with back-pressure from the receiver. */
import type { Http2Stream } from '@topo-bench/http2';
import { FlightError } from '../errors.ts';
import { frameOf } from './frame.ts';

export class OutgoingMessages {
  private waiters: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  private end: { error: unknown } | undefined;

  /**
   * @param bufferBytes max queued bytes before `send` waits; a single message may exceed it
   * @param beforeSend called before each message; opens the response of a server
   */
  constructor(
    private readonly stream: Http2Stream,
    private readonly bufferBytes: number,
    private readonly beforeSend: () => void = () => {},
  ) {}

  /** Frames and sends one message. */
  send(message: Uint8Array): Promise<void> | undefined {
    return this.sendFramed([frameOf(message)]);
  }

  /**
   * Sends messages that already have their frames.
   * @param pieces in order; must not change until `onWritten` is called
   * @param onWritten called when the system has taken all bytes; never if the call ends before
   * @returns undefined if more may be sent at once; otherwise a promise that resolves then, or rejects when the call
   * ends
   */
  sendFramed(pieces: readonly Uint8Array[], onWritten?: () => void): Promise<void> | undefined {
    if (this.end) return Promise.reject(this.end.error);
    if (this.stream.isSendingOver) {
      return Promise.reject(new FlightError('cancelled', 'the peer accepts no more messages of this call'));
    }
    this.beforeSend();
    this.stream.write(pieces, onWritten);
    if (this.stream.queuedBytes < this.bufferBytes) return undefined;
    return new Promise((resolve, reject) => {
      this.waiters.push({ resolve, reject });
    });
  }

  /** Called when queued bytes have been sent. */
  onSent(): void {
    if (this.waiters.length === 0 || this.stream.queuedBytes >= this.bufferBytes) return;
    for (const waiter of this.waiters.splice(0)) waiter.resolve();
  }

  /** Rejects pending and later sends: the call has ended. */
  fail(error: unknown): void {
    this.end ??= { error };
    for (const waiter of this.waiters.splice(0)) waiter.reject(error);
  }
}
