/**
 * An Arrow Flight server: the verbs of a FlightService as methods of a gRPC server, behind authentication where it is
 * asked for.
 */
import { GrpcServer, type GrpcServerOptions } from '../grpc/grpc-server.ts';
import { Authentication, type AuthenticationOptions } from './authentication.ts';
import type { FlightService } from './flight-service.ts';
import { methodsOf } from './verbs.ts';

export interface FlightServerOptions extends GrpcServerOptions {
  /** Without it everybody may call. */
  authentication?: AuthenticationOptions;
}

export class FlightServer {
  private readonly server: GrpcServer;
  private readonly scheme: string;

  constructor(service: FlightService, { authentication, ...options }: FlightServerOptions = {}) {
    this.server = new GrpcServer(methodsOf(service, authentication && new Authentication(authentication)), options);
    this.scheme = options.tls ? 'grpc+tls' : 'grpc+tcp';
  }

  /** @param port 0 for a free one; @returns the URI under which clients reach it */
  async listen(port = 0, host = '127.0.0.1'): Promise<string> {
    const bound = await this.server.listen(port, host);
    return `${this.scheme}://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  }

  /** Takes no more calls, lets those under way end for at most `graceMs`, then cuts them. */
  close(graceMs?: number): Promise<void> {
    return this.server.close(graceMs);
  }
}
