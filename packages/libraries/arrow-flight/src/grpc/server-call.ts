/**
 * Server side of a call: request messages, responses, the caller's address, and a signal that aborts on cancellation.
 */
import type { Headers, Http2Stream } from '@topo-bench/http2';
import { asFlightError, FlightError } from '../errors.ts';
import type { ByteAccount } from './byte-limits.ts';
import { grpcCodes } from './codes.ts';
import { IncomingMessages, type IncomingOptions } from './incoming-messages.ts';
import { OutgoingMessages } from './outgoing-messages.ts';
import { encodeStatusMessage } from './status-message.ts';
import { maxTimeoutMs, parseTimeoutMs } from './timeout.ts';

const contentType = 'application/grpc';

export interface ServerCallOptions extends IncomingOptions {
  sendBufferBytes: number;
  beforeLogin: { account: ByteAccount; timeoutMs: number };
  /** Status for an error of an unknown class. Default: internal. */
  statusOf?: StatusOf | undefined;
}

/** @returns undefined for unknown errors */
export type StatusOf = (error: unknown) => FlightError | undefined;

export class ServerCall {
  /** Aborts when the caller cancels or disconnects, or when the deadline passes. The reason is a FlightError. */
  readonly signal: AbortSignal;
  readonly incoming: IncomingMessages;
  readonly outgoing: OutgoingMessages;
  /** Sent with the first message, or with the status if there is none. */
  readonly responseHeaders: Record<string, string> = {};
  private readonly abortion = new AbortController();
  private readonly deadline: NodeJS.Timeout | undefined;
  private isFinished = false;
  private hasResponded = false;

  /** @param peer address of the caller */
  constructor(
    private readonly stream: Http2Stream,
    readonly headers: Headers,
    readonly peer: string,
    private readonly options: ServerCallOptions,
  ) {
    this.signal = this.abortion.signal;
    this.incoming = new IncomingMessages(stream, options);
    this.outgoing = new OutgoingMessages(stream, options.sendBufferBytes, () => this.respond());
    stream.events = {
      sink: this.incoming,
      onHeaders: () => {}, // gRPC requests have no trailers.
      onEnd: () => this.incoming.finish(),
      onSent: () => this.outgoing.onSent(),
      onReset: () => this.lost(),
    };
    const timeoutMs = parseTimeoutMs(headers['grpc-timeout']);
    if (timeoutMs !== undefined && timeoutMs <= maxTimeoutMs) {
      this.deadline = setTimeout(() => this.overdue(timeoutMs), timeoutMs);
    }
  }

  /**
   * Limits what the caller may send, and for how long, until `login` has settled. Call it before anything is read.
   * @throws the error of `login`
   */
  async untilLogin<T>(login: Promise<T>): Promise<T> {
    const { account, timeoutMs } = this.options.beforeLogin;
    this.incoming.limit(account, (error) => this.finish(error));
    const timer = setTimeout(() => {
      this.finish(new FlightError('deadline-exceeded', `the login took longer than ${timeoutMs} ms`));
    }, timeoutMs);
    try {
      return await login;
    } finally {
      clearTimeout(timer);
      this.incoming.liftLimit();
    }
  }

  /** Ends the call, with success if there is no error. Later calls have no effect. */
  finish(failure?: unknown): void {
    if (this.isFinished) return;
    this.isFinished = true;
    clearTimeout(this.deadline);
    const error = failure === undefined ? undefined : (this.options.statusOf?.(failure) ?? asFlightError(failure));
    this.outgoing.fail(error ?? new FlightError('cancelled', 'the call has ended'));
    this.incoming.fail(new FlightError('cancelled', 'the call has ended'));
    const status = statusHeaders(error);
    // A response without messages consists of trailers only.
    this.stream.end(this.hasResponded ? status : { ...this.openingHeaders, ...status });
  }

  private get openingHeaders(): Headers {
    return { ':status': '200', 'content-type': contentType, ...this.responseHeaders };
  }

  private respond(): void {
    if (this.hasResponded) return;
    this.hasResponded = true;
    this.stream.sendHeaders(this.openingHeaders);
  }

  private overdue(timeoutMs: number): void {
    const error = new FlightError('deadline-exceeded', `the call exceeded its deadline of ${timeoutMs} ms`);
    this.abortion.abort(error);
    this.finish(error);
  }

  /** Called when the caller disconnects before the end of the call. */
  private lost(): void {
    clearTimeout(this.deadline);
    if (this.isFinished) return;
    this.isFinished = true;
    const error = new FlightError('cancelled', 'the caller cancelled the call or disconnected');
    this.incoming.fail(error);
    this.outgoing.fail(error);
    this.abortion.abort(error);
  }
}

function statusHeaders(error: FlightError | undefined): Headers {
  if (!error) return { 'grpc-status': '0' };
  const hint = error.hint ? ` (${error.hint})` : '';
  return { 'grpc-status': String(grpcCodes[error.status]), 'grpc-message': encodeStatusMessage(error.message + hint) };
}
