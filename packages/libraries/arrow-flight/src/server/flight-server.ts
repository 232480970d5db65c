/** An Arrow Flight server: serves a FlightService over gRPC, with optional authentication. */
import { GrpcServer, type GrpcServerOptions } from '../grpc/grpc-server.ts';
import { Authentication, type AuthenticationOptions } from './authentication.ts';
import type { FlightService } from './flight-service.ts';
import { methodsOf } from './verbs.ts';

export interface FlightServerOptions extends GrpcServerOptions {
  /** Without it, no login is required. */
  authentication?: AuthenticationOptions;
}

export class FlightServer {
  private readonly server: GrpcServer;
  private readonly scheme: string;

  constructor(service: FlightService, { authentication, ...options }: FlightServerOptions = {}) {
    this.server = new GrpcServer(methodsOf(service, authentication && new Authentication(authentication)), options);
    this.scheme = options.tls ? 'grpc+tls' : 'grpc+tcp';
  }

  /**
   * @param port 0 selects a free port
   * @returns the URI for clients
   */
  async listen(port = 0, host = '127.0.0.1'): Promise<string> {
    const bound = await this.server.listen(port, host);
    return `${this.scheme}://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  }

  /** Stops accepting calls, drains those in flight for up to `graceMs`, then aborts them. */
  close(graceMs?: number): Promise<void> {
    return this.server.close(graceMs);
  }
}
