/**
 * A connection with one request at a time, written in a single piece that was built before the load. A general-purpose
 * client (undici) takes 1.5 times the CPU per request, which delays the requests that are due
 * (docs/decisions/0005-connections-of-our-own.md).
 */
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { headers } from '@topo-bench/core';
import type { TlsCheck } from '../load-job.ts';
import { ProtocolError, shown } from './response-head.ts';
import { type ParserOptions, type Response, ResponseParser } from './response-parser.ts';

/** Default header: the reported RTT. */
export interface ConnectionOptions extends Pick<ParserOptions, 'maxBodyBytes'> {
  wantedHeader?: string | undefined;
  tls?: TlsCheck | undefined;
}

/** Exactly one of the two methods is called, once. */
export interface ResponseListener {
  onResponse(response: Response): void;
  onError(error: Error): void;
}

/**
 * Servers close idle connections; a connection that may be closing must not get a request. Node.js servers close after
 * 5 s. Servers announce whole seconds, rounded down: 0 is any time below one.
 */
const defaultKeepAliveSeconds = 5;
const secondsOfZero = 0.25;
const keepAliveMargin = { share: 0.2, maxMs: 1000 };

export class HttpConnection {
  readonly #socket: Socket;
  readonly #parser: ResponseParser;
  #listener: ResponseListener | undefined;
  #reusableUntilMs = Number.POSITIVE_INFINITY;
  #ended = false;

  constructor(target: URL, { wantedHeader = headers.rtt, maxBodyBytes, tls = {} }: ConnectionOptions = {}) {
    this.#parser = new ResponseParser({ wantedHeader, maxBodyBytes });
    const { protocol, port } = target;
    const host = target.hostname.replace(/^\[|\]$/g, '');
    const secure = protocol === 'https:';
    const serverName = isIP(host) ? {} : { servername: host };
    const checks = { ...(tls.ca !== undefined && { ca: tls.ca }), rejectUnauthorized: !tls.insecure };
    this.#socket = secure
      ? connectTls({ host, port: Number(port || 443), ALPNProtocols: ['http/1.1'], ...checks, ...serverName })
      : connect({ host, port: Number(port || 80), noDelay: true, keepAlive: true });
    this.#socket.on('data', (piece: Buffer) => this.#read(piece));
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('end', () => this.#closedByServer());
    this.#socket.on('close', () => this.#closedByServer());
  }

  /** Resolves when the connection (and TLS) is set up; rejects when it fails. */
  opened(): Promise<void> {
    const event = 'encrypted' in this.#socket ? 'secureConnect' : 'connect';
    return new Promise((resolve, reject) => this.#socket.once(event, resolve).once('error', reject));
  }

  /** Whether it can carry a request: open, unused, and not idle for too long. */
  isUsable(nowMs: number): boolean {
    return !this.#ended && nowMs < this.#reusableUntilMs;
  }

  /** @param message head and body in one piece */
  send(method: string, message: Buffer, listener: ResponseListener): void {
    this.#listener = listener;
    this.#parser.expect(method);
    this.#socket.write(message);
  }

  /** Closes the connection. A request on it fails with `reason`; without one, its listener is not called. */
  destroy(reason?: Error): void {
    if (!reason) this.#listener = undefined;
    this.#end(reason ?? new Error('destroyed'));
  }

  #read(piece: Buffer): void {
    // Bytes without a request belong to no response: the next one could not be told from them.
    if (!this.#listener) {
      this.#end(new ProtocolError(`bytes without a request: got ${shown(piece)}`));
      return;
    }
    try {
      const response = this.#parser.push(piece);
      if (response) this.#answer(response);
    } catch (error) {
      this.#end(error as Error);
    }
  }

  #answer(response: Response): void {
    const listener = this.#listener;
    this.#listener = undefined;
    if (response.reusable) {
      this.#reusableUntilMs = performance.now() + usableMs(response.keepAliveSeconds);
    } else {
      this.#ended = true;
      this.#socket.destroy();
    }
    listener?.onResponse(response);
  }

  #closedByServer(): void {
    const response = this.#listener && this.#parser.close();
    if (response) this.#answer(response);
    else this.#end(Object.assign(new Error('connection closed by the server'), { code: 'ECONNRESET' }));
  }

  #end(error: Error): void {
    this.#ended = true;
    this.#socket.destroy();
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.onError(error);
  }
}

/** How long an idle connection can be used again. */
function usableMs(seconds: number = defaultKeepAliveSeconds): number {
  const announcedMs = (seconds || secondsOfZero) * 1e3;
  return announcedMs - Math.min(keepAliveMargin.maxMs, keepAliveMargin.share * announcedMs);
}
