/** One call as its client sees it: what goes, what comes, and how it ended. */
import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import { IncomingMessages, type IncomingOptions } from './incoming-messages.ts';
import { OutgoingMessages } from './outgoing-messages.ts';
import { FlightError, statusOfCode, statusOfHttp } from './status.ts';
import { decodeStatusMessage } from './status-message.ts';

export interface ClientCallOptions extends IncomingOptions {
  sendBufferBytes: number;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

/** What a call says about itself when it fails. */
export interface CallOrigin {
  describe: () => string;
  /** Why the connection was lost, where it was. */
  connectionError: () => Error | undefined;
  /** Resets the stream. `close()` of Node.js would end the sending side first, and a cut upload look whole to the server. */
  reset: AbortController;
}

export class ClientCall {
  readonly incoming: IncomingMessages;
  readonly outgoing: OutgoingMessages;
  /** Headers and trailers of the answer; settled when the call is over, however it ended. */
  readonly answerHeaders: IncomingHttpHeaders = {};
  private outcome: { error: FlightError | undefined } | undefined;
  private readonly settled: Promise<void>;
  private settle: () => void = () => {};

  constructor(
    private readonly stream: ClientHttp2Stream,
    private readonly origin: CallOrigin,
    options: ClientCallOptions,
  ) {
    this.incoming = new IncomingMessages(stream, options);
    this.outgoing = new OutgoingMessages(stream, options.sendBufferBytes);
    this.settled = new Promise((resolve) => {
      this.settle = resolve;
    });
    stream.on('response', (headers) => this.takeHeaders(headers));
    stream.on('trailers', (headers) => this.takeHeaders(headers));
    stream.on('end', () => this.ended());
    let cause: Error | undefined;
    stream.on('error', (error) => {
      cause = error;
    });
    stream.on('close', () => this.over(this.answer() ?? this.lost(cause)));
    this.limitTime(options);
  }

  /** Resolves when the call has succeeded. @throws FlightError what the server, or the network, said instead */
  async done(): Promise<void> {
    await this.settled;
    if (this.outcome?.error) throw this.outcome.error;
  }

  /** No more messages from here. */
  end(): void {
    if (!this.stream.writableEnded && !this.stream.destroyed) this.stream.end();
  }

  /** Tells the server that nobody waits any more; without effect on a call that is over. */
  cancel(error: FlightError = new FlightError('cancelled', 'the call was cancelled')): void {
    if (this.outcome) return;
    this.over({ error });
    // Not at once: a reset from within the events of a stream waits in Node.js until something else is written to the connection.
    setImmediate(() => this.origin.reset.abort());
  }

  private limitTime({ signal, timeoutMs }: ClientCallOptions): void {
    const onAbort = (): void => this.cancel(new FlightError('cancelled', 'the call was cancelled', { cause: signal?.reason }));
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            this.cancel(new FlightError('deadline-exceeded', `${this.origin.describe()} took longer than ${timeoutMs} ms`));
          }, timeoutMs);
    void this.settled.then(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  }

  private takeHeaders(headers: IncomingHttpHeaders): void {
    Object.assign(this.answerHeaders, headers);
  }

  /** What the answer says so far; undefined without a status. */
  private answer(): { error: FlightError | undefined } | undefined {
    const { ':status': http, 'grpc-status': code, 'grpc-message': message } = this.answerHeaders;
    if (code === undefined) {
      if (http === undefined || Number(http) === 200) return undefined;
      return {
        error: new FlightError(
          statusOfHttp(Number(http)),
          `${this.origin.describe()} was answered by HTTP status ${http}, not by gRPC`,
        ),
      };
    }
    const status = statusOfCode(Number(code));
    if (status === 'ok') return { error: undefined };
    return {
      error: new FlightError(status, decodeStatusMessage(String(message ?? `${this.origin.describe()} ended as ${status}`))),
    };
  }

  private lost(cause: Error | undefined): { error: FlightError } {
    const connection = this.stream.session;
    const isReset = cause === undefined && connection !== undefined && !connection.destroyed;
    const why = (cause ?? this.origin.connectionError())?.message ?? `HTTP/2 reset code ${this.stream.rstCode}`;
    const status = isReset && this.stream.rstCode === constants.NGHTTP2_CANCEL ? 'cancelled' : 'unavailable';
    return { error: new FlightError(status, `${this.origin.describe()} was cut before its end: ${why}`, { cause }) };
  }

  /** The server has said all; what is still to be sent is of no use. */
  private ended(): void {
    const answer = this.answer();
    if (!answer) return;
    this.over(answer);
    this.end();
  }

  private over(outcome: { error: FlightError | undefined }): void {
    if (this.outcome) return;
    this.outcome = outcome;
    const { error } = outcome;
    // Messages that came before an error are still handed out; a cancelled call has no use for them.
    if (error?.status === 'cancelled') this.incoming.fail(error);
    else this.incoming.finish(error);
    this.outgoing.fail(error ?? new FlightError('cancelled', 'the server takes no more messages of this call'));
    this.settle();
  }
}
