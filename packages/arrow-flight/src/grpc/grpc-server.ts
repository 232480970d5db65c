/** A gRPC server: runs the handler of a call's path and ends the call with the status of the outcome. */
import { type Headers, Http2Server, type Http2ServerOptions, type Http2Stream } from '@topo-bench/http2';
import { FlightError } from '../errors.ts';
import type { FindAligned } from './message-assembler.ts';
import { ServerCall, type StatusOf } from './server-call.ts';

/** Resolves when the call has succeeded; rejects with the error for the caller. */
export type GrpcHandler = (call: ServerCall) => Promise<void>;

export interface GrpcMethod {
  handle: GrpcHandler;
  /** Locates the part of a message that must be aligned. */
  findAligned?: FindAligned;
}

export interface GrpcServerOptions extends Omit<Http2ServerOptions, 'maxConcurrentStreams' | 'maxHeaderBytes'> {
  /** Max size of a received message in bytes. Default: 128 MiB. */
  maxMessageBytes?: number;
  /** Max bytes of queued messages, per call and direction. Default: 4 MiB. */
  bufferBytes?: number;
  /** Max concurrent calls per connection. Default: 100. */
  maxConcurrentCalls?: number;
  /** Status for a handler's error of an unknown class. Default: internal. */
  statusOf?: StatusOf;
}

export class GrpcServer {
  private readonly server: Http2Server;
  private readonly callOptions: {
    maxMessageBytes: number;
    bufferBytes: number;
    sendBufferBytes: number;
    statusOf?: StatusOf;
  };

  /** @param methods by path, e.g. `/package.Service/Method` */
  constructor(
    private readonly methods: ReadonlyMap<string, GrpcMethod>,
    {
      maxMessageBytes = 128 * 1024 ** 2,
      bufferBytes = 4 * 1024 ** 2,
      maxConcurrentCalls = 100,
      statusOf,
      ...options
    }: GrpcServerOptions = {},
  ) {
    this.callOptions = { maxMessageBytes, bufferBytes, sendBufferBytes: bufferBytes, ...(statusOf && { statusOf }) };
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
    const refusal = refusalOfRequest(headers);
    if (refusal) {
      stream.end({ ':status': refusal });
      return;
    }
    const path = headers[':path'] ?? '';
    const method = this.methods.get(path);
    const aligned = method?.findAligned ? { findAligned: method.findAligned } : {};
    const call = new ServerCall(stream, headers, peer, { ...this.callOptions, ...aligned });
    try {
      if (!method) throw new FlightError('unimplemented', `unknown method: ${path}`);
      await method.handle(call);
      call.finish();
    } catch (error) {
      call.finish(error);
    }
  }
}

/** HTTP status for a request that is not a gRPC call. */
function refusalOfRequest(headers: Headers): string | undefined {
  if (headers[':method'] !== 'POST') return '405';
  return headers['content-type']?.startsWith('application/grpc') ? undefined : '415';
}
