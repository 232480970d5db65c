/** A gRPC server: runs the handler of a call's path and ends the call with the status of the outcome. */
import { type Headers, Http2Server, type Http2ServerOptions, type Http2Stream } from '@topo-bench/http2';
import { FlightError } from '../errors.ts';
import { type ByteLimits, LimitedBytes } from './byte-limits.ts';
import type { FindAligned } from './message-assembler.ts';
import { ServerCall, type StatusOf } from './server-call.ts';

/** Resolves when the call has succeeded; rejects with the error for the caller. */
export type GrpcHandler = (call: ServerCall) => Promise<void>;

export interface GrpcMethod {
  handle: GrpcHandler;
  /** Locates the part of a message that must be aligned. */
  findAligned?: FindAligned;
  /** Limit of this method's messages, if lower than that of the server. */
  maxMessageBytes?: number;
}

export interface LoginLimits {
  /** Max bytes of all calls of a connection whose callers are unknown. Default: 256 KiB, the size of a read. */
  bytes?: number;
  /** Max time until the caller of a call is known. Default: 20 s. */
  timeoutMs?: number;
}

export interface GrpcServerOptions extends Omit<Http2ServerOptions, 'maxConcurrentStreams' | 'maxHeaderBytes'> {
  /** Max size of a received message in bytes, also of a decompressed one. Default: 128 MiB. */
  maxMessageBytes?: number;
  /** Max bytes of queued messages, per call and direction. Default: 4 MiB. */
  bufferBytes?: number;
  /**
   * Max memory of unfinished messages. A call beyond it fails with `resource-exhausted`. Default: 256 MiB per
   * connection and 512 MiB per server, or two and four messages of the max size.
   */
  unfinished?: Partial<ByteLimits>;
  /** Limits of calls that must log in, until they have. */
  beforeLogin?: LoginLimits;
  /** Max concurrent calls per connection. Default: 100. */
  maxConcurrentCalls?: number;
  /** Status for a handler's error of an unknown class. Default: internal. */
  statusOf?: StatusOf;
  /** Whether calls to this `:authority` (host and port) are served; others get HTTP status 421. Default: all are. */
  acceptsAuthority?: (authority: string) => boolean;
}

export class GrpcServer {
  private readonly server: Http2Server;
  private readonly callOptions: {
    maxMessageBytes: number;
    bufferBytes: number;
    sendBufferBytes: number;
    statusOf?: StatusOf;
  };
  private readonly unfinished: LimitedBytes;
  private readonly strangers: LimitedBytes;
  private readonly loginTimeoutMs: number;
  private readonly acceptsAuthority: (authority: string) => boolean;

  /** @param methods by path, e.g. `/package.Service/Method` */
  constructor(
    private readonly methods: ReadonlyMap<string, GrpcMethod>,
    {
      maxMessageBytes = 128 * 1024 ** 2,
      bufferBytes = 4 * 1024 ** 2,
      maxConcurrentCalls = 100,
      unfinished = {},
      beforeLogin: { bytes: strangerBytes = 262_144, timeoutMs: loginTimeoutMs = 20_000 } = {},
      statusOf,
      acceptsAuthority = () => true,
      ...options
    }: GrpcServerOptions = {},
  ) {
    this.acceptsAuthority = acceptsAuthority;
    this.callOptions = { maxMessageBytes, bufferBytes, sendBufferBytes: bufferBytes, ...(statusOf && { statusOf }) };
    this.loginTimeoutMs = loginTimeoutMs;
    this.unfinished = new LimitedBytes('unfinished messages', 'send fewer messages at a time, or smaller ones', {
      perConnection: Math.max(2 * maxMessageBytes, 256 * 1024 ** 2),
      perServer: Math.max(4 * maxMessageBytes, 512 * 1024 ** 2),
      ...unfinished,
    });
    // The number of connections limits it for the server: others could use up a common limit.
    this.strangers = new LimitedBytes('messages of calls before their login', 'log in with a handshake first', {
      perConnection: strangerBytes,
      perServer: Number.POSITIVE_INFINITY,
    });
    this.server = new Http2Server((stream, headers, peer) => void this.serve(stream, headers, peer), {
      ...options,
      maxConcurrentStreams: maxConcurrentCalls,
    });
  }

  /**
   * @param port 0 selects a free port
   * @returns the actual port
   */
  listen(port = 0, host = '127.0.0.1'): Promise<number> {
    return this.server.listen(port, host);
  }

  /** Stops accepting calls, drains open ones for up to `graceMs`, then cancels them. */
  close(graceMs?: number): Promise<void> {
    return this.server.close(graceMs);
  }

  private async serve(stream: Http2Stream, headers: Headers, peer: string): Promise<void> {
    const refusal = this.refusalOfRequest(headers);
    if (refusal) {
      stream.end({ ':status': refusal });
      return;
    }
    const path = headers[':path'] ?? '';
    const method = this.methods.get(path);
    const { handle: _, ...ofMethod } = method ?? {};
    const call = new ServerCall(stream, headers, peer, {
      ...this.callOptions,
      unfinished: this.unfinished.accountOf(peer),
      beforeLogin: { account: this.strangers.accountOf(peer), timeoutMs: this.loginTimeoutMs },
      ...ofMethod,
    });
    try {
      if (!method) throw new FlightError('unimplemented', `unknown method: ${path}`);
      await method.handle(call);
      call.finish();
    } catch (error) {
      call.finish(error);
    }
  }

  /** HTTP status for a request that is not a gRPC call, or not one to this server. */
  private refusalOfRequest(headers: Headers): string | undefined {
    if (headers[':method'] !== 'POST') return '405';
    if (!headers['content-type']?.startsWith('application/grpc')) return '415';
    return this.acceptsAuthority(headers[':authority'] ?? '') ? undefined : '421';
  }
}
