/** TLS options of servers and clients. All values are PEM texts. */
import type { ConnectionOptions, TlsOptions } from 'node:tls';

export interface ServerTls {
  certificate: string;
  key: string;
  /** Authority of client certificates. With it, only clients with such a certificate may connect (mutual TLS). */
  clientCa?: string;
}

export interface ClientTls {
  /** Authority of the server's certificate. Default: the authorities that Node.js trusts. */
  ca?: string;
  /** Certificate and key for servers that require mutual TLS. */
  certificate?: string;
  key?: string;
  /** Name in the server's certificate, when it differs from the host name. */
  serverName?: string;
}

export function serverTlsOptions({ certificate, key, clientCa }: ServerTls): TlsOptions {
  const mutual = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true };
  return { cert: certificate, key, ALPNProtocols: ['h2'], ...mutual };
}

export function clientTlsOptions({ ca, certificate, key, serverName }: ClientTls): ConnectionOptions {
  return {
    ALPNProtocols: ['h2'],
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}
