/** Calls to a gRPC server, over a connection for those that bring bulk and one for those that take bulk there. */
import type { OutgoingHttpHeaders } from 'node:http2';
import { ClientCall } from './client-call.ts';
import { type ClientTls, GrpcConnection } from './grpc-connection.ts';
import type { FindAligned } from './message-assembler.ts';
import { FlightError } from './status.ts';
import { formatTimeout } from './timeout.ts';
import { largeWindows, smallWindows, type Windows } from './windows.ts';

export type { ClientTls } from './grpc-connection.ts';

export interface ChannelOptions {
  tls?: ClientTls;
  /** Longest message accepted, in bytes. Default: 128 MiB. */
  mostMessageBytes?: number;
  /** Bytes of messages that may wait, per call and direction. Default: 4 MiB. */
  bufferBytes?: number;
  /** Of what comes in bulk; uploads and exchanges have 1 MiB. */
  windows?: Windows;
}

export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal;
  timeoutMs?: number;
  headers?: OutgoingHttpHeaders;
}

/** Which way the bulk of a call goes. */
export type Bulk = 'down' | 'up';

export class GrpcChannel {
  /** One connection for each way, since only one way of a connection may be wide. */
  private readonly connections: Record<Bulk, GrpcConnection>;
  private readonly options: ChannelOptions & { mostMessageBytes: number; bufferBytes: number };

  /** @param origin `http://host:port`, or `https://…` for TLS */
  constructor(
    private readonly origin: string,
    options: ChannelOptions = {},
  ) {
    this.options = { mostMessageBytes: 128 * 1024 ** 2, bufferBytes: 4 * 1024 ** 2, ...options };
    const { tls = {}, windows = largeWindows } = options;
    this.connections = {
      down: new GrpcConnection(origin, tls, windows),
      up: new GrpcConnection(origin, tls, smallWindows),
    };
  }

  call(
    path: string,
    { signal, timeoutMs, headers = {} }: CallOptions = {},
    findAligned?: FindAligned,
    bulk: Bulk = 'down',
  ): ClientCall {
    const { mostMessageBytes, bufferBytes } = this.options;
    const timeout = timeoutMs === undefined ? {} : { 'grpc-timeout': formatTimeout(timeoutMs) };
    const reset = new AbortController();
    const connection = this.connections[bulk];
    const stream = connection
      .open()
      .request(
        { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...timeout, ...headers },
        { endStream: false, signal: reset.signal },
      );
    const origin = {
      describe: () => `the call of ${path.slice(path.lastIndexOf('/') + 1)} at ${this.origin}`,
      connectionError: () => connection.error,
      reset,
    };
    const aligned = findAligned ? { findAligned } : {};
    return new ClientCall(stream, origin, {
      mostMessageBytes,
      bufferBytes,
      sendBufferBytes: bufferBytes,
      signal,
      timeoutMs,
      ...aligned,
    });
  }

  /** Lets calls under way end for at most `graceMs`, then cuts them. */
  async close(graceMs = 1000): Promise<void> {
    await Promise.all(Object.values(this.connections).map((connection) => connection.close(graceMs)));
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
