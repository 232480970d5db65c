/** A gRPC server: hands every call to the handler of its path and ends it with the status that the handler leads to. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { Http2Connection } from '@topo-bench/http2/connection';
import { DirectReading, directServerOptions, readDirectly } from '@topo-bench/http2/direct-reading';
import type { Headers } from '@topo-bench/http2/headers';
import type { Http2Stream } from '@topo-bench/http2/stream';
import { FlightError } from '../errors.ts';
import type { FindAligned } from './message-assembler.ts';
import { ServerCall, type StatusOf } from './server-call.ts';
import { largeWindows, mostHeaderBytes, type Windows } from './windows.ts';

/** Resolves when the call has succeeded; fails with what the caller is told. */
export type GrpcHandler = (call: ServerCall) => Promise<void>;

export interface GrpcMethod {
  handle: GrpcHandler;
  /** For messages of which a part must be aligned. */
  findAligned?: FindAligned;
}

/** PEM texts. With `clientCa` only callers with a certificate of it are served (mutual TLS). */
export interface ServerTls {
  certificate: string;
  key: string;
  clientCa?: string;
}

export interface GrpcServerOptions {
  tls?: ServerTls;
  /** Longest message accepted, in bytes. Default: 128 MiB. */
  mostMessageBytes?: number;
  /** Bytes of messages that may wait, per call and direction. Default: 4 MiB. */
  bufferBytes?: number;
  windows?: Windows;
  /** Calls of one connection at a time. Default: 100. */
  mostConcurrentCalls?: number;
  /** Connections at a time; further ones are closed at once. Default: 1000. */
  maxConnections?: number;
  /** A connection without a byte in either direction for so long is closed. Default: ten minutes, longer than queries may take. */
  silentMs?: number;
  /** The status of an error of a handler that this package does not know. Default: internal. */
  statusOf?: StatusOf;
}

/** In which a caller must have agreed on TLS. */
const handshakeMs = 10_000;

export class GrpcServer {
  private readonly server: Server;
  private readonly connections = new Set<Http2Connection>();
  /** Below TLS, which callers may not have agreed on yet. */
  private readonly sockets = new Set<Socket>();
  private readonly options: Required<Omit<GrpcServerOptions, 'tls' | 'maxConnections' | 'statusOf'>> &
    Pick<GrpcServerOptions, 'statusOf'>;

  /** @param methods by path, e.g. `/package.Service/Method` */
  constructor(
    private readonly methods: ReadonlyMap<string, GrpcMethod>,
    {
      tls,
      mostMessageBytes = 128 * 1024 ** 2,
      bufferBytes = 4 * 1024 ** 2,
      windows = largeWindows,
      mostConcurrentCalls = 100,
      maxConnections = 1000,
      silentMs = 600_000,
      statusOf,
    }: GrpcServerOptions = {},
  ) {
    this.options = { mostMessageBytes, bufferBytes, windows, mostConcurrentCalls, silentMs, ...(statusOf && { statusOf }) };
    this.server = tls
      ? createSecureServer({ noDelay: true, handshakeTimeout: handshakeMs, ...tlsOptions(tls) }, (socket) =>
          this.readChunks(socket),
        )
      : createServer(directServerOptions, (socket) => this.readDirectly(socket));
    this.server.maxConnections = maxConnections;
    if (tls) this.server.on('connection', (socket) => this.track(socket));
  }

  /** @param port 0 for a free one; @returns the port */
  async listen(port = 0, host = '127.0.0.1'): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    return (this.server.address() as AddressInfo).port;
  }

  /** Takes no more calls, lets those under way end for at most `graceMs`, then cuts them. */
  async close(graceMs = 1000): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const connection of this.connections) connection.close();
    const cut = setTimeout(() => {
      for (const connection of this.connections) connection.destroy();
      for (const socket of this.sockets) socket.destroy();
    }, graceMs);
    await closed;
    clearTimeout(cut);
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

  private readDirectly(accepted: Socket): void {
    const reading = new DirectReading();
    const socket = readDirectly(accepted, reading);
    if (socket) reading.begin(this.welcome(socket));
    else this.readChunks(accepted);
  }

  private readChunks(socket: Socket): void {
    const connection = this.welcome(socket);
    socket.on('data', (chunk: Buffer) => connection.receive(chunk));
  }

  private welcome(socket: Socket): Http2Connection {
    const { windows, mostConcurrentCalls, silentMs } = this.options;
    socket.setTimeout(silentMs, () => socket.destroy());
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    const connection = new Http2Connection(socket, {
      streamWindowBytes: windows.streamBytes,
      connectionWindowBytes: windows.connectionBytes,
      mostHeaderBytes,
      mostConcurrentStreams: mostConcurrentCalls,
      onStream: (stream, headers) => void this.serve(stream, headers, peer),
      onClose: () => this.connections.delete(connection),
    });
    this.connections.add(connection);
    return connection;
  }

  private async serve(stream: Http2Stream, headers: Headers, peer: string): Promise<void> {
    const refusal = refusalOfRequest(headers);
    if (refusal) {
      stream.end({ ':status': refusal });
      return;
    }
    const path = headers[':path'] ?? '';
    const method = this.methods.get(path);
    const { mostMessageBytes, bufferBytes, statusOf } = this.options;
    const aligned = method?.findAligned ? { findAligned: method.findAligned } : {};
    const call = new ServerCall(stream, headers, peer, {
      mostMessageBytes,
      bufferBytes,
      sendBufferBytes: bufferBytes,
      statusOf,
      ...aligned,
    });
    try {
      if (!method) throw new FlightError('unimplemented', `there is no method ${path}`);
      await method.handle(call);
      call.finish();
    } catch (error) {
      call.finish(error);
    }
  }
}

/** Status of HTTP for a request that is no gRPC call. */
function refusalOfRequest(headers: Headers): string | undefined {
  if (headers[':method'] !== 'POST') return '405';
  return headers['content-type']?.startsWith('application/grpc') ? undefined : '415';
}

function tlsOptions({ certificate, key, clientCa }: ServerTls) {
  const mutual = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true };
  return { cert: certificate, key, ALPNProtocols: ['h2'], ...mutual };
}
