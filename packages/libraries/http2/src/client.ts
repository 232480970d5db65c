/**
 * An HTTP/2 client of one origin: one connection, opened by the first request and replaced when it accepts no more
 * streams.
 */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Http2Connection } from './connection.ts';
import { DirectReading } from './direct-reading.ts';
import type { Headers } from './headers.ts';
import type { Http2Stream } from './stream.ts';
import { type ClientTls, clientTlsOptions } from './tls.ts';
import { defaultMaxHeaderBytes, largeWindows, type Windows } from './windows.ts';

export interface Http2ClientOptions {
  tls?: ClientTls | undefined;
  /** Default: `largeWindows`. */
  windows?: Windows | undefined;
  /** Limit of the headers of one message, in bytes. Default: 64 KiB. */
  maxHeaderBytes?: number | undefined;
}

export class Http2Client {
  private readonly url: URL;
  private current: Http2Connection | undefined;
  /** All connections, also those that only finish their last streams, with a promise of their end. */
  private readonly open = new Map<Http2Connection, Promise<void>>();

  /** @param origin `http://host:port`, or `https://…` for TLS. @throws TypeError for an invalid URL */
  constructor(
    origin: string,
    private readonly options: Http2ClientOptions = {},
  ) {
    this.url = new URL(origin);
  }

  /**
   * Opens a stream; the request may be queued until the server accepts it.
   * @param headers merged over `:method: POST`, `:scheme` and `:authority`; `:path` is required
   * @throws RangeError for headers that cannot be sent
   */
  request(headers: Headers): Http2Stream {
    if (!this.current?.isUsable)
      this.current = this.url.protocol === 'https:' ? this.connectTls() : this.connectClear();
    return this.current.open({
      ':method': 'POST',
      ':scheme': this.url.protocol.slice(0, -1),
      ':authority': this.url.host,
      ...headers,
    });
  }

  /** Waits at most `graceMs` for open streams, then destroys the connections. */
  async close(graceMs = 1000): Promise<void> {
    this.current = undefined;
    const connections = [...this.open.keys()];
    const closed = Promise.all(this.open.values());
    const cut = setTimeout(() => {
      for (const connection of connections) connection.destroy();
    }, graceMs);
    for (const connection of connections) connection.close();
    await closed;
    clearTimeout(cut);
  }

  private get address(): { host: string; port: number } {
    const { hostname, port, protocol } = this.url;
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  }

  private connectClear(): Http2Connection {
    const reading = new DirectReading();
    const connection = this.connectionOver(connect({ ...this.address, noDelay: true, onread: reading.onread }));
    reading.begin(connection);
    return connection;
  }

  private connectTls(): Http2Connection {
    const socket = connectTls({ ...this.address, ...clientTlsOptions(this.options.tls ?? {}) });
    socket.setNoDelay(true);
    const connection = this.connectionOver(socket);
    socket.on('secureConnect', () => {
      if (socket.alpnProtocol !== 'h2') connection.destroy(new Error('the server does not speak HTTP/2'));
    });
    socket.on('data', (chunk: Buffer) => connection.receive(chunk));
    return connection;
  }

  private connectionOver(socket: Socket): Http2Connection {
    const { windows = largeWindows, maxHeaderBytes = defaultMaxHeaderBytes } = this.options;
    let onClose: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const { streamBytes, connectionBytes } = windows;
    const options = { streamWindowBytes: streamBytes, connectionWindowBytes: connectionBytes, maxHeaderBytes, onClose };
    const connection = new Http2Connection(socket, options);
    this.open.set(connection, closed);
    void closed.then(() => this.open.delete(connection));
    return connection;
  }
}
