/** One call as its server sees it: what comes, what goes, who asks, and a signal that says when nobody waits for the answer any more. */
import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { IncomingMessages, type IncomingOptions } from './incoming-messages.ts';
import { OutgoingMessages } from './outgoing-messages.ts';
import { asFlightError, FlightError, grpcCodes } from './status.ts';
import { encodeStatusMessage } from './status-message.ts';
import { parseTimeoutMs } from './timeout.ts';

const contentType = 'application/grpc';

/** setTimeout cannot wait longer; such deadlines are none. */
const longestTimeoutMs = 2 ** 31 - 1;

export class ServerCall {
  /** Aborted when the caller cancelled, went away, or its deadline passed; the reason is a FlightError. */
  readonly signal: AbortSignal;
  readonly incoming: IncomingMessages;
  readonly outgoing: OutgoingMessages;
  /** Sent with the first message or the status, whichever comes first. */
  readonly responseHeaders: OutgoingHttpHeaders = {};
  private readonly abortion = new AbortController();
  private readonly deadline: NodeJS.Timeout | undefined;
  private isFinished = false;
  private isStopped = false;

  constructor(
    private readonly stream: ServerHttp2Stream,
    readonly headers: IncomingHttpHeaders,
    options: IncomingOptions & { sendBufferBytes: number },
  ) {
    this.signal = this.abortion.signal;
    this.incoming = new IncomingMessages(stream, options);
    this.outgoing = new OutgoingMessages(stream, options.sendBufferBytes, () => this.respond());
    // Node.js ends the reading side of a stream that was reset as if all had come.
    stream.on('end', () => (stream.closed ? this.lost() : this.incoming.finish()));
    stream.on('error', () => {}); // 'close' follows, and tells what happened.
    stream.on('aborted', () => this.lost());
    stream.on('close', () => this.lost());
    const timeoutMs = parseTimeoutMs(headers['grpc-timeout'] as string | undefined);
    if (timeoutMs !== undefined && timeoutMs <= longestTimeoutMs) {
      this.deadline = setTimeout(() => this.overdue(timeoutMs), timeoutMs);
    }
  }

  /** Address of the caller. */
  get peer(): string {
    const socket = this.stream.session?.socket;
    return socket ? `${socket.remoteAddress}:${socket.remotePort}` : 'unknown';
  }

  /** Ends the call; without an error with success. Later calls change nothing. */
  finish(failure?: unknown): void {
    if (this.isFinished) return;
    this.isFinished = true;
    clearTimeout(this.deadline);
    const error = failure === undefined ? undefined : asFlightError(failure);
    this.outgoing.fail(error ?? new FlightError('cancelled', 'the call has ended'));
    if (this.stream.destroyed) return;
    const status = statusHeaders(error);
    this.incoming.fail(new FlightError('cancelled', 'the call has ended'));
    this.stream.resume();
    if (this.stream.headersSent) {
      this.stream.on('wantTrailers', () => {
        this.stream.sendTrailers(status);
        this.stopCaller();
      });
      this.stream.end();
    } else {
      const headers = { ':status': 200, 'content-type': contentType, ...this.responseHeaders, ...status };
      this.stream.respond(headers, { endStream: true });
      this.stopCaller();
    }
  }

  /**
   * Lets go of the stream if its caller has reset it: with the code for "no error" Node.js says nothing of that, and would keep the stream and what it
   * had to send for as long as the connection lives.
   */
  dropIfReset(): void {
    if (this.stream.closed && !this.isStopped) this.stream.destroy();
  }

  private respond(): void {
    if (this.stream.headersSent || this.stream.destroyed) return;
    this.stream.respond({ ':status': 200, 'content-type': contentType, ...this.responseHeaders }, { waitForTrailers: true });
  }

  /** What still comes is of no use: once the status is on its way, a caller that has not ended its side is told to stop. */
  private stopCaller(): void {
    setImmediate(() => {
      if (this.stream.readableEnded || this.stream.destroyed) return;
      this.isStopped = true;
      this.stream.close(constants.NGHTTP2_NO_ERROR);
    });
  }

  private overdue(timeoutMs: number): void {
    const error = new FlightError('deadline-exceeded', `the call took longer than the ${timeoutMs} ms that its caller gave it`);
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
    // What still waits unread would keep the stream, and its memory, for as long as the connection lives.
    this.stream.resume();
  }
}

function statusHeaders(error: FlightError | undefined): OutgoingHttpHeaders {
  if (!error) return { 'grpc-status': '0' };
  const hint = error.hint ? ` (${error.hint})` : '';
  return { 'grpc-status': String(grpcCodes[error.status]), 'grpc-message': encodeStatusMessage(error.message + hint) };
}
