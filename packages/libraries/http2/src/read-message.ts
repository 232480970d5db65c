/** Reads a whole message of a stream into memory, for callers that do not stream. */
import type { BodySink } from './frame-parser.ts';
import type { Headers } from './headers.ts';
import { errorCodes } from './protocol.ts';
import type { Http2Stream, StreamReset } from './stream.ts';

/** `HTTP2_RESET`: the stream ended before the message. `HTTP2_TOO_LARGE`: the body exceeds the limit. */
export type Http2ErrorCode = 'HTTP2_RESET' | 'HTTP2_TOO_LARGE';

export class Http2Error extends Error {
  override readonly name = 'Http2Error';

  constructor(
    readonly code: Http2ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface Message {
  /** Headers of a response; empty on a server, whose handler has received them. */
  headers: Headers;
  body: Buffer;
  trailers: Headers;
}

/**
 * Call it before anything can arrive: on a client right after `request`, on a server within the stream handler.
 * @param maxBytes limit of the body. Default: 16 MiB
 * @throws Http2Error
 */
export function readMessage(stream: Http2Stream, maxBytes = 16 * 1024 ** 2): Promise<Message> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const received: Headers[] = [];
    const hasRequest = stream.isAnswered;
    let bytes = 0;
    const sink: BodySink = {
      take(chunk) {
        bytes += chunk.length;
        if (bytes <= maxBytes) {
          chunks.push(Buffer.from(chunk));
          return;
        }
        chunks.length = 0;
        stream.reset(errorCodes.cancel);
        reject(new Http2Error('HTTP2_TOO_LARGE', `the body has ${bytes} bytes or more, expected at most ${maxBytes}`));
      },
      space: () => undefined,
      filled: () => {},
    };
    stream.events = {
      sink,
      onHeaders: (headers) => received.push(headers),
      onEnd: () => {
        const [headers = {}, trailers = {}] = hasRequest ? [{}, ...received] : received;
        resolve({ headers, body: Buffer.concat(chunks), trailers });
      },
      onSent: () => {},
      onReset: (reset) => reject(new Http2Error('HTTP2_RESET', describeReset(reset), { cause: reset.connectionError })),
    };
  });
}

function describeReset({ code, connectionError, finding }: StreamReset): string {
  return `the stream ended early: ${connectionError?.message ?? finding ?? `HTTP/2 code ${code}`}`;
}
