/** Connections to a gRPC server: one, opened at the first call, and a new one when it takes no more calls. */
import { connect as connectPlainly, type Socket } from 'node:net';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { Http2Connection } from '@topo-bench/http2/connection';
import { DirectReading } from '@topo-bench/http2/direct-reading';
import type { Headers } from '@topo-bench/http2/headers';
import type { Http2Stream } from '@topo-bench/http2/stream';
import { mostHeaderBytes, type Windows } from './windows.ts';

/** PEM texts. `certificate` and `key` are for servers that ask clients who they are (mutual TLS). */
export interface ClientTls {
  /** Of the server; without it those that Node.js trusts. */
  ca?: string;
  certificate?: string;
  key?: string;
  /** Name in the server's certificate, where it is not the host's. */
  serverName?: string;
}

export class GrpcConnection {
  private readonly url: URL;
  private current: Http2Connection | undefined;
  /** With those that only end their last calls; each with the moment when it is gone. */
  private readonly open = new Map<Http2Connection, Promise<void>>();

  /** @param origin `http://host:port`, or `https://…` for TLS */
  constructor(
    origin: string,
    private readonly tls: ClientTls,
    private readonly windows: Windows,
  ) {
    this.url = new URL(origin);
  }

  /** @param headers of the call, without those that the connection knows. @throws RangeError for headers that cannot be sent */
  request(headers: Headers): Http2Stream {
    if (!this.current?.isUsable) this.current = this.url.protocol === 'https:' ? this.connectSecurely() : this.connectPlainly();
    return this.current.open({
      ':method': 'POST',
      ':scheme': this.url.protocol.slice(0, -1),
      ':authority': this.url.host,
      ...headers,
    });
  }

  /** Lets calls under way end for at most `graceMs`, then cuts them. */
  async close(graceMs: number): Promise<void> {
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

  private connectPlainly(): Http2Connection {
    const reading = new DirectReading();
    const connection = this.connectionOver(connectPlainly({ ...this.address, noDelay: true, onread: reading.onread }));
    reading.begin(connection);
    return connection;
  }

  private connectSecurely(): Http2Connection {
    const { ca, certificate, key, serverName } = this.tls;
    const socket: TLSSocket = connectSecurely({
      ...this.address,
      ALPNProtocols: ['h2'],
      ...(ca === undefined ? {} : { ca }),
      ...(certificate === undefined ? {} : { cert: certificate }),
      ...(key === undefined ? {} : { key }),
      ...(serverName === undefined ? {} : { servername: serverName }),
    });
    socket.setNoDelay(true);
    const connection = this.connectionOver(socket);
    socket.on('secureConnect', () => {
      if (socket.alpnProtocol !== 'h2') connection.destroy(new Error('the server does not speak HTTP/2'));
    });
    socket.on('data', (chunk: Buffer) => connection.receive(chunk));
    return connection;
  }

  private connectionOver(socket: Socket): Http2Connection {
    const { streamBytes, connectionBytes } = this.windows;
    let onClose: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const options = { streamWindowBytes: streamBytes, connectionWindowBytes: connectionBytes, mostHeaderBytes, onClose };
    const connection = new Http2Connection(socket, options);
    this.open.set(connection, closed);
    void closed.then(() => this.open.delete(connection));
    return connection;
  }
}
