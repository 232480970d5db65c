/** A client connection to a gRPC server. */
import { type ClientTls, type Headers, Http2Client, type Http2Stream, type Windows } from '@topo-bench/http2';
import { FlightError } from '../errors.ts';
import { ClientCall } from './client-call.ts';
import type { FindAligned } from './message-assembler.ts';
import { formatTimeout } from './timeout.ts';

export interface ChannelOptions {
  tls?: ClientTls;
  /** Max size of a received message in bytes, also of a decompressed one. Default: 128 MiB. */
  maxMessageBytes?: number;
  /** Max bytes of queued messages, per call and direction. Default: 4 MiB. */
  bufferBytes?: number;
  windows?: Windows;
}

export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal;
  timeoutMs?: number;
  headers?: Headers;
}

export class GrpcChannel {
  private readonly client: Http2Client;
  private readonly options: { maxMessageBytes: number; bufferBytes: number };

  /** @param origin `http://host:port`, or `https://…` for TLS */
  constructor(
    private readonly origin: string,
    { tls, windows, maxMessageBytes = 128 * 1024 ** 2, bufferBytes = 4 * 1024 ** 2 }: ChannelOptions = {},
  ) {
    this.options = { maxMessageBytes, bufferBytes };
    this.client = new Http2Client(origin, { tls, windows });
  }

  /** @throws FlightError `invalid-argument` for invalid headers */
  call(path: string, { signal, timeoutMs, headers = {} }: CallOptions = {}, findAligned?: FindAligned): ClientCall {
    const { maxMessageBytes, bufferBytes } = this.options;
    const timeout = timeoutMs === undefined ? {} : { 'grpc-timeout': formatTimeout(timeoutMs) };
    const describe = (): string => `the call of ${path.slice(path.lastIndexOf('/') + 1)} at ${this.origin}`;
    const stream = this.request({
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...timeout,
      ...headers,
    });
    return new ClientCall(stream, describe, {
      maxMessageBytes,
      bufferBytes,
      sendBufferBytes: bufferBytes,
      signal,
      timeoutMs,
      ...(findAligned ? { findAligned } : {}),
    });
  }

  /** Drains calls in flight for up to `graceMs`, then aborts them. */
  close(graceMs = 1000): Promise<void> {
    return this.client.close(graceMs);
  }

  private request(headers: Headers): Http2Stream {
    try {
      return this.client.request(headers);
    } catch (error) {
      throw new FlightError('invalid-argument', (error as Error).message, { cause: error });
    }
  }
}

/**
 * The HTTP origin of a Flight location.
 * @throws FlightError for schemes other than grpc, grpc+tcp and grpc+tls
 */
export function originOf(location: string): string {
  const match = /^(grpc|grpc\+tcp|grpc\+tls):\/\/([^/?#]+)\/?$/.exec(location);
  if (!match) {
    throw new FlightError('invalid-argument', `invalid Flight location: got ${location}`, {
      hint: 'write grpc+tcp://host:port or grpc+tls://host:port',
    });
  }
  return `${match[1] === 'grpc+tls' ? 'https' : 'http'}://${match[2]}`;
}
