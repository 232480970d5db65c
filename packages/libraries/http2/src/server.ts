/**
 * An HTTP/2 server: accepts connections, over TLS or in clear text with prior knowledge, and calls a handler for each
 * stream.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { Http2Connection } from './connection.ts';
import { DirectReading, directServerOptions, readDirectly } from './direct-reading.ts';
import type { Headers } from './headers.ts';
import type { Http2Stream } from './stream.ts';
import { type ServerTls, serverTlsOptions } from './tls.ts';
import { defaultMaxHeaderBytes, largeWindows, type Windows } from './windows.ts';

export interface Http2ServerOptions {
  /** Default: clear text with prior knowledge. */
  tls?: ServerTls | undefined;
  /** Default: `largeWindows`. */
  windows?: Windows | undefined;
  /** Limit of the headers of one message, in bytes. Default: 64 KiB. */
  maxHeaderBytes?: number | undefined;
  /** Concurrent streams of one connection. Default: 100. */
  maxConcurrentStreams?: number | undefined;
  /** Open connections; further ones are closed at once. Default: 1000. */
  maxConnections?: number | undefined;
  /** A connection without a byte in either direction for this long is closed, in ms. Default: ten minutes. */
  idleTimeoutMs?: number | undefined;
}

/** @param peer address and port of the client. Set `stream.events` before returning. */
export type StreamHandler = (stream: Http2Stream, headers: Headers, peer: string) => void;

/** Timeout of the TLS handshake. */
const handshakeMs = 10_000;

export class Http2Server {
  private readonly server: Server;
  private readonly connections = new Set<Http2Connection>();
  /** Sockets below TLS, whose handshake may not have finished. */
  private readonly sockets = new Set<Socket>();

  constructor(
    private readonly onStream: StreamHandler,
    private readonly options: Http2ServerOptions = {},
  ) {
    const { tls, maxConnections = 1000 } = options;
    this.server = tls
      ? createSecureServer({ noDelay: true, handshakeTimeout: handshakeMs, ...serverTlsOptions(tls) }, (socket) =>
          this.readChunks(socket),
        )
      : createServer(directServerOptions, (socket) => this.readDirectly(socket));
    this.server.maxConnections = maxConnections;
    if (tls) this.server.on('connection', (socket) => this.track(socket));
  }

  /** @param port 0 for a free port. @returns the port. @throws the error of `net.Server`, e.g. `EADDRINUSE` */
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

  /** Accepts no new streams, waits at most `graceMs` for the open ones, then destroys the connections. */
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
    if (socket) {
      reading.begin(this.accept(socket));
      return;
    }
    this.readChunks(accepted);
    accepted.resume();
  }

  private readChunks(socket: Socket): void {
    const connection = this.accept(socket);
    socket.on('data', (chunk: Buffer) => connection.receive(chunk));
  }

  private accept(socket: Socket): Http2Connection {
    const { windows = largeWindows, maxHeaderBytes = defaultMaxHeaderBytes } = this.options;
    const { maxConcurrentStreams = 100, idleTimeoutMs = 600_000 } = this.options;
    socket.setTimeout(idleTimeoutMs, () => socket.destroy());
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    const connection = new Http2Connection(socket, {
      streamWindowBytes: windows.streamBytes,
      connectionWindowBytes: windows.connectionBytes,
      maxHeaderBytes,
      maxConcurrentStreams,
      onStream: (stream, headers) => this.onStream(stream, headers, peer),
      onClose: () => this.connections.delete(connection),
    });
    this.connections.add(connection);
    return connection;
  }
}
