/** A connection to a gRPC server, opened at the first call and again after it was lost. */
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import { ClientCall } from './client-call.ts';
import type { FindAligned } from './message-assembler.ts';
import { FlightError } from './status.ts';
import { formatTimeout } from './timeout.ts';
import { clientWindows, sessionMemoryUnits, settingsFor, type Windows } from './windows.ts';

/** PEM texts. `certificate` and `key` are for servers that ask clients who they are (mutual TLS). */
export interface ClientTls {
  /** Of the server; without it those that Node.js trusts. */
  ca?: string;
  certificate?: string;
  key?: string;
  /** Name in the server's certificate, where it is not the host's. */
  serverName?: string;
}

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
  headers?: OutgoingHttpHeaders;
}

export class GrpcChannel {
  private session: ClientHttp2Session | undefined;
  private connectionError: Error | undefined;
  private readonly options: ChannelOptions & { mostMessageBytes: number; bufferBytes: number; windows: Windows };

  /** @param origin `http://host:port`, or `https://…` for TLS */
  constructor(
    private readonly origin: string,
    options: ChannelOptions = {},
  ) {
    this.options = { mostMessageBytes: 128 * 1024 ** 2, bufferBytes: 4 * 1024 ** 2, windows: clientWindows, ...options };
  }

  call(path: string, { signal, timeoutMs, headers = {} }: CallOptions = {}, findAligned?: FindAligned): ClientCall {
    const { mostMessageBytes, bufferBytes } = this.options;
    const timeout = timeoutMs === undefined ? {} : { 'grpc-timeout': formatTimeout(timeoutMs) };
    const reset = new AbortController();
    const stream = this.connected().request(
      { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...timeout, ...headers },
      { endStream: false, signal: reset.signal },
    );
    const origin = {
      describe: () => `the call of ${path.slice(path.lastIndexOf('/') + 1)} at ${this.origin}`,
      connectionError: () => this.connectionError,
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
    const session = this.session;
    this.session = undefined;
    if (!session || session.destroyed) return;
    const closed = new Promise<void>((resolve) => session.once('close', () => resolve()));
    const cut = setTimeout(() => session.destroy(), graceMs);
    session.close();
    await closed;
    clearTimeout(cut);
  }

  private connected(): ClientHttp2Session {
    if (this.session && !this.session.closed && !this.session.destroyed) return this.session;
    const { tls = {}, windows } = this.options;
    const session = connect(this.origin, {
      settings: settingsFor(windows, 65_536),
      maxSessionMemory: sessionMemoryUnits,
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      ...(tls.certificate === undefined ? {} : { cert: tls.certificate }),
      ...(tls.key === undefined ? {} : { key: tls.key }),
      ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
    });
    session.on('connect', () => session.setLocalWindowSize(windows.connectionBytes));
    this.connectionError = undefined;
    // Every call of the connection is told on its own.
    session.on('error', (error) => {
      this.connectionError = error;
    });
    this.session = session;
    return session;
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
