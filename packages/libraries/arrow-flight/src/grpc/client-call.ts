/** Client side of a call: requests, response messages and outcome. */
import { errorCodes, type Headers, type Http2Stream, type StreamReset } from '@topo-bench/http2';
import { FlightError } from '../errors.ts';
import { statusOfCode, statusOfHttp } from './codes.ts';
import { IncomingMessages, type IncomingOptions } from './incoming-messages.ts';
import { OutgoingMessages } from './outgoing-messages.ts';
import { decodeStatusMessage } from './status-message.ts';
import { maxTimeoutMs } from './timeout.ts';

export interface ClientCallOptions extends IncomingOptions {
  sendBufferBytes: number;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

export class ClientCall {
  readonly incoming: IncomingMessages;
  readonly outgoing: OutgoingMessages;
  /** Headers and trailers of the response; complete when the call has ended. */
  readonly answerHeaders: Record<string, string> = {};
  private outcome: { error: FlightError | undefined } | undefined;
  private readonly settled: Promise<void>;
  private settle: () => void = () => {};

  /** @param describe name of the call in error messages */
  constructor(
    private readonly stream: Http2Stream,
    private readonly describe: () => string,
    options: ClientCallOptions,
  ) {
    this.incoming = new IncomingMessages(stream, options);
    this.outgoing = new OutgoingMessages(stream, options.sendBufferBytes);
    this.settled = new Promise((resolve) => {
      this.settle = resolve;
    });
    stream.events = {
      sink: this.incoming,
      onHeaders: (headers) => this.takeHeaders(headers),
      onEnd: () => this.ended(),
      onSent: () => this.outgoing.onSent(),
      onReset: (reset) => this.over(this.answer() ?? this.lost(reset)),
    };
    this.limitTime(options);
  }

  /**
   * Resolves when the call has succeeded.
   * @throws FlightError the status of the server, or the network error
   */
  async done(): Promise<void> {
    await this.settled;
    if (this.outcome?.error) throw this.outcome.error;
  }

  /** Ends the request messages. */
  end(): void {
    this.stream.end();
  }

  /** Cancels the call at the server. No effect on a call that has ended. */
  cancel(error: FlightError = new FlightError('cancelled', 'the call was cancelled')): void {
    if (this.outcome) return;
    this.over({ error });
    this.stream.reset(errorCodes.cancel);
  }

  private limitTime({ signal, timeoutMs }: ClientCallOptions): void {
    const onAbort = (): void =>
      this.cancel(new FlightError('cancelled', 'the call was cancelled', { cause: signal?.reason }));
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
    const timer =
      timeoutMs === undefined || timeoutMs > maxTimeoutMs
        ? undefined
        : setTimeout(() => {
            this.cancel(new FlightError('deadline-exceeded', `${this.describe()} took longer than ${timeoutMs} ms`));
          }, timeoutMs);
    void this.settled.then(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  }

  private takeHeaders(headers: Headers): void {
    Object.assign(this.answerHeaders, headers);
    // A response that is not gRPC contains no messages, so its content is not awaited.
    const outcome = headers['grpc-status'] === undefined ? this.answer() : undefined;
    if (!outcome) return;
    this.over(outcome);
    this.stream.reset(errorCodes.cancel);
  }

  /** The outcome so far; undefined without a status. */
  private answer(): { error: FlightError | undefined } | undefined {
    const { ':status': http, 'content-type': type, 'grpc-status': code, 'grpc-message': message } = this.answerHeaders;
    if (code === undefined) {
      if (http === undefined) return undefined;
      const isForeign = type !== undefined && !type.startsWith('application/grpc');
      if (Number(http) === 200 && !isForeign) return undefined;
      const answer = isForeign ? `${http} and ${type}` : http;
      return {
        error: new FlightError(
          statusOfHttp(Number(http)),
          `${this.describe()} got a non-gRPC response: HTTP status ${answer}`,
        ),
      };
    }
    const status = statusOfCode(Number(code));
    if (status === 'ok') return { error: undefined };
    return {
      error: new FlightError(status, decodeStatusMessage(String(message ?? `${this.describe()} ended as ${status}`))),
    };
  }

  private lost({ code, connectionError, finding }: StreamReset): { error: FlightError } {
    const why = connectionError ? textOf(connectionError) : (finding ?? `HTTP/2 reset code ${code}`);
    const status = !connectionError && code === errorCodes.cancel ? 'cancelled' : 'unavailable';
    return {
      error: new FlightError(status, `${this.describe()} was cut before its end: ${why}`, { cause: connectionError }),
    };
  }

  /** The response is complete; pending requests are pointless. */
  private ended(): void {
    this.over(
      this.answer() ?? { error: new FlightError('internal', `${this.describe()} got a response without a status`) },
    );
    if (!this.stream.isSendingOver || this.stream.queuedBytes > 0) this.stream.reset(errorCodes.cancel);
  }

  private over(outcome: { error: FlightError | undefined }): void {
    if (this.outcome) return;
    this.outcome = outcome;
    const { error } = outcome;
    // Messages received before an error are still delivered, except to a cancelled call.
    if (error?.status === 'cancelled') this.incoming.fail(error);
    else this.incoming.finish(error);
    this.outgoing.fail(error ?? new FlightError('cancelled', 'the server accepts no more messages of this call'));
    this.settle();
  }
}

/**
 * For a host with several addresses Node.js throws an AggregateError without a message. OpenSSL errors contain source
 * locations; only their reason is kept.
 */
function textOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map(({ message }: Error) => message).join(', ');
  const ofTls = /:SSL routines:[^:]*:([^:]+)/.exec(error.message);
  return ofTls ? `TLS failed: ${ofTls[1]}` : error.message;
}
