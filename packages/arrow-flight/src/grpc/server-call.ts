/**
 * One call as its server sees it: what comes, what goes, who asks, and a signal that says when nobody waits for the
 * answer any more.
 */
import type { Headers, Http2Stream } from '@topo-bench/http2';
import { asFlightError, FlightError } from '../errors.ts';
import { grpcCodes } from './codes.ts';
import { IncomingMessages, type IncomingOptions } from './incoming-messages.ts';
import { OutgoingMessages } from './outgoing-messages.ts';
import { encodeStatusMessage } from './status-message.ts';
import { maxTimeoutMs, parseTimeoutMs } from './timeout.ts';

const contentType = 'application/grpc';

export interface ServerCallOptions extends IncomingOptions {
  sendBufferBytes: number;
  /** The status of an error that this package does not know; undefined: internal. */
  statusOf?: StatusOf | undefined;
}

/** @returns undefined for errors that it does not know either */
export type StatusOf = (error: unknown) => FlightError | undefined;

export class ServerCall {
  /** Aborted when the caller cancelled, went away, or its deadline passed; the reason is a FlightError. */
  readonly signal: AbortSignal;
  readonly incoming: IncomingMessages;
  readonly outgoing: OutgoingMessages;
  /** Sent with the first message or the status, whichever comes first. */
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
      onHeaders: () => {}, // Trailers, of which gRPC has none in this direction.
      onEnd: () => this.incoming.finish(),
      onSent: () => this.outgoing.onSent(),
      onReset: () => this.lost(),
    };
    const timeoutMs = parseTimeoutMs(headers['grpc-timeout']);
    if (timeoutMs !== undefined && timeoutMs <= maxTimeoutMs) {
      this.deadline = setTimeout(() => this.overdue(timeoutMs), timeoutMs);
    }
  }

  /** Ends the call; without an error with success. Later calls change nothing. */
  finish(failure?: unknown): void {
    if (this.isFinished) return;
    this.isFinished = true;
    clearTimeout(this.deadline);
    const error = failure === undefined ? undefined : (this.options.statusOf?.(failure) ?? asFlightError(failure));
    this.outgoing.fail(error ?? new FlightError('cancelled', 'the call has ended'));
    this.incoming.fail(new FlightError('cancelled', 'the call has ended'));
    const status = statusHeaders(error);
    // Trailers alone make up an answer without messages.
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
    const error = new FlightError(
      'deadline-exceeded',
      `the call took longer than the ${timeoutMs} ms that its caller gave it`,
    );
    this.abortion.abort(error);
    this.finish(error);
  }

  /** The caller is gone before the call was finished. */
  private lost(): void {
    clearTimeout(this.deadline);
    if (this.isFinished) return;
    this.isFinished = true;
    const error = new FlightError('cancelled', 'the caller cancelled the call or went away');
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
