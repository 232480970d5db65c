/** A gRPC server on node:http2: hands every call to the handler of its path and ends it with the status that the handler leads to. */
import {
  constants,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { FindAligned } from './message-assembler.ts';
import { ServerCall } from './server-call.ts';
import { FlightError } from './status.ts';
import { hasLargeWindows, largeWindows, sessionMemoryUnits, settingsFor, smallWindows, type Windows } from './windows.ts';

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
  /** The connection's is granted to those whose own is small, the others have 1 MiB. */
  windows?: Windows;
  /** Calls of one connection at a time. Default: 100. */
  mostConcurrentCalls?: number;
}

const mostHeaderBytes = 65_536;

interface Connection {
  /** As far as they are not gone. */
  calls: Set<ServerCall>;
  /** Once true so for good: what is under way takes from the window that can be seen. */
  takesBulk: boolean;
}

export class GrpcServer {
  private readonly server: Http2Server | Http2SecureServer;
  private readonly sessions = new Map<ServerHttp2Session, Connection>();
  private readonly options: Required<Omit<GrpcServerOptions, 'tls'>> & { isSecure: boolean };

  /** @param methods by path, e.g. `/package.Service/Method` */
  constructor(
    private readonly methods: ReadonlyMap<string, GrpcMethod>,
    {
      tls,
      mostMessageBytes = 128 * 1024 ** 2,
      bufferBytes = 4 * 1024 ** 2,
      windows = largeWindows,
      mostConcurrentCalls = 100,
    }: GrpcServerOptions = {},
  ) {
    this.options = { mostMessageBytes, bufferBytes, windows, mostConcurrentCalls, isSecure: tls !== undefined };
    const settings = { ...settingsFor(windows, mostHeaderBytes), maxConcurrentStreams: mostConcurrentCalls };
    const common = { settings, maxSessionMemory: sessionMemoryUnits };
    this.server = tls ? createSecureServer({ ...common, ...tlsOptions(tls) }) : createServer(common);
    this.server.on('session', (session: ServerHttp2Session) => this.welcome(session));
    this.server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void this.serve(stream, headers));
    this.server.on('sessionError', () => {}); // The calls of the session are told one by one.
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
    for (const [session, { calls }] of this.sessions) {
      for (const call of calls) call.dropIfReset();
      session.close();
    }
    const cut = setTimeout(() => {
      for (const session of this.sessions.keys()) session.destroy();
    }, graceMs);
    await closed;
    clearTimeout(cut);
  }

  private welcome(session: ServerHttp2Session): void {
    this.sessions.set(session, { calls: new Set(), takesBulk: false });
    session.on('close', () => this.sessions.delete(session));
  }

  /** Enters a call into the account of its connection, with what may have changed there since the last one. */
  private admit(call: ServerCall, stream: ServerHttp2Stream): void {
    const session = stream.session as ServerHttp2Session;
    const connection = this.sessions.get(session);
    if (!connection) return;
    connection.takesBulk ||= hasLargeWindows(session);
    const { connectionBytes } = this.options.windows;
    session.setLocalWindowSize(connection.takesBulk ? Math.min(connectionBytes, smallWindows.connectionBytes) : connectionBytes);
    for (const other of connection.calls) other.dropIfReset();
    connection.calls.add(call);
    stream.on('close', () => connection.calls.delete(call));
  }

  private async serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const refusal = refusalOfRequest(headers);
    if (refusal) {
      stream.on('error', () => {});
      stream.respond({ ':status': refusal }, { endStream: true });
      // At once, and newer Node.js would drop the answer.
      setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR));
      return;
    }
    const path = headers[':path'] ?? '';
    const method = this.methods.get(path);
    const { mostMessageBytes, bufferBytes } = this.options;
    const aligned = method?.findAligned ? { findAligned: method.findAligned } : {};
    const call = new ServerCall(stream, headers, { mostMessageBytes, bufferBytes, sendBufferBytes: bufferBytes, ...aligned });
    this.admit(call, stream);
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
function refusalOfRequest(headers: IncomingHttpHeaders): number | undefined {
  if (headers[':method'] !== 'POST') return 405;
  return headers['content-type']?.startsWith('application/grpc') ? undefined : 415;
}

function tlsOptions({ certificate, key, clientCa }: ServerTls) {
  const mutual = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true };
  return { cert: certificate, key, ALPNProtocols: ['h2'], ...mutual };
}
