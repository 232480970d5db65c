/** A connection to a gRPC server, opened at the first call and again after it was lost. */
import { type ClientHttp2Session, connect } from 'node:http2';
import { sessionMemoryUnits, settingsFor, type Windows } from './windows.ts';

/** PEM texts. `certificate` and `key` are for servers that ask clients who they are (mutual TLS). */
export interface ClientTls {
  /** Of the server; without it those that Node.js trusts. */
  ca?: string;
  certificate?: string;
  key?: string;
  /** Name in the server's certificate, where it is not the host's. */
  serverName?: string;
}

const mostHeaderBytes = 65_536;

export class GrpcConnection {
  private session: ClientHttp2Session | undefined;
  /** Why it was lost, where it was. */
  error: Error | undefined;

  /** @param origin `http://host:port`, or `https://…` for TLS */
  constructor(
    private readonly origin: string,
    private readonly tls: ClientTls,
    private readonly windows: Windows,
  ) {}

  open(): ClientHttp2Session {
    if (this.session && !this.session.closed && !this.session.destroyed) return this.session;
    const { tls, windows } = this;
    const session = connect(this.origin, {
      settings: settingsFor(windows, mostHeaderBytes),
      maxSessionMemory: sessionMemoryUnits,
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      ...(tls.certificate === undefined ? {} : { cert: tls.certificate }),
      ...(tls.key === undefined ? {} : { key: tls.key }),
      ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
    });
    session.on('connect', () => session.setLocalWindowSize(windows.connectionBytes));
    this.error = undefined;
    // Every call of the connection is told on its own.
    session.on('error', (error) => {
      this.error = error;
    });
    this.session = session;
    return session;
  }

  /** Lets calls under way end for at most `graceMs`, then cuts them. */
  async close(graceMs: number): Promise<void> {
    const { session } = this;
    this.session = undefined;
    if (!session || session.destroyed) return;
    const closed = new Promise<void>((resolve) => session.once('close', () => resolve()));
    const cut = setTimeout(() => session.destroy(), graceMs);
    session.close();
    await closed;
    clearTimeout(cut);
  }
}
