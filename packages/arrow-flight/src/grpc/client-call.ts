/** One call as its client sees it: what goes, what comes, and how it ended. */
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
  /** Headers and trailers of the answer; settled when the call is over, however it ended. */
  readonly answerHeaders: Record<string, string> = {};
  private outcome: { error: FlightError | undefined } | undefined;
  private readonly settled: Promise<void>;
  private settle: () => void = () => {};

  /** @param describe how the call names itself when it fails */
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

  /** Resolves when the call has succeeded. @throws FlightError what the server, or the network, said instead */
  async done(): Promise<void> {
    await this.settled;
    if (this.outcome?.error) throw this.outcome.error;
  }

  /** No more messages from here. */
  end(): void {
    this.stream.end();
  }

  /** Tells the server that nobody waits any more; without effect on a call that is over. */
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
    // The content of what is no answer of gRPC has no messages, so it is not waited for.
    const outcome = headers['grpc-status'] === undefined ? this.answer() : undefined;
    if (!outcome) return;
    this.over(outcome);
    this.stream.reset(errorCodes.cancel);
  }

  /** What the answer says so far; undefined without a status. */
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
          `${this.describe()} was answered by HTTP status ${answer}, not by gRPC`,
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

  /** The server has said all; what is still to be sent is of no use. */
  private ended(): void {
    this.over(
      this.answer() ?? { error: new FlightError('internal', `${this.describe()} was answered without a status`) },
    );
    if (!this.stream.isSendingOver || this.stream.queuedBytes > 0) this.stream.reset(errorCodes.cancel);
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

/**
 * Where a host has several addresses, Node.js gathers what each led to in an error without a text; that of OpenSSL
 * tells where in its source it was.
 */
function textOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map(({ message }: Error) => message).join(', ');
  const ofTls = /:SSL routines:[^:]*:([^:]+)/.exec(error.message);
  return ofTls ? `TLS failed: ${ofTls[1]}` : error.message;
}
