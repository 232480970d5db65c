/** Calls to a gRPC server. */
import type { Headers } from '@topo-bench/http2/headers';
import type { Http2Stream } from '@topo-bench/http2/stream';
import { FlightError } from '../errors.ts';
import { ClientCall } from './client-call.ts';
import { type ClientTls, GrpcConnection } from './grpc-connection.ts';
import type { FindAligned } from './message-assembler.ts';
import { formatTimeout } from './timeout.ts';
import { largeWindows, type Windows } from './windows.ts';

export type { ClientTls } from './grpc-connection.ts';

export interface ChannelOptions {
  tls?: ClientTls;
  /** Longest message accepted, in bytes. Default: 128 MiB. */
  mostMessageBytes?: number;
  /** Bytes of messages that may wait, per call and direction. Default: 4 MiB. */
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
  private readonly connection: GrpcConnection;
  private readonly options: { mostMessageBytes: number; bufferBytes: number };

  /** @param origin `http://host:port`, or `https://…` for TLS */
  constructor(
    private readonly origin: string,
    { tls = {}, windows = largeWindows, mostMessageBytes = 128 * 1024 ** 2, bufferBytes = 4 * 1024 ** 2 }: ChannelOptions = {},
  ) {
    this.options = { mostMessageBytes, bufferBytes };
    this.connection = new GrpcConnection(origin, tls, windows);
  }

  /** @throws FlightError `invalid-argument` for headers that cannot be sent */
  call(path: string, { signal, timeoutMs, headers = {} }: CallOptions = {}, findAligned?: FindAligned): ClientCall {
    const { mostMessageBytes, bufferBytes } = this.options;
    const timeout = timeoutMs === undefined ? {} : { 'grpc-timeout': formatTimeout(timeoutMs) };
    const describe = (): string => `the call of ${path.slice(path.lastIndexOf('/') + 1)} at ${this.origin}`;
    const stream = this.request({ ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...timeout, ...headers });
    return new ClientCall(stream, describe, {
      mostMessageBytes,
      bufferBytes,
      sendBufferBytes: bufferBytes,
      signal,
      timeoutMs,
      ...(findAligned ? { findAligned } : {}),
    });
  }

  /** Lets calls under way end for at most `graceMs`, then cuts them. */
  close(graceMs = 1000): Promise<void> {
    return this.connection.close(graceMs);
  }

  private request(headers: Headers): Http2Stream {
    try {
      return this.connection.request(headers);
    } catch (error) {
      throw new FlightError('invalid-argument', (error as Error).message, { cause: error });
    }
  }
}

/** The origin of a Flight location. @throws FlightError for schemes other than grpc, grpc+tcp and grpc+tls */
export function originOf(location: string): string {
  const match = /^(grpc|grpc\+tcp|grpc\+tls):\/\/([^/?#]+)\/?$/.exec(location);
  if (!match) {
    throw new FlightError('invalid-argument', `${location} is no location of a Flight server`, {
      hint: 'write grpc+tcp://host:port or grpc+tls://host:port',
    });
  }
  return `${match[1] === 'grpc+tls' ? 'https' : 'http'}://${match[2]}`;
}
