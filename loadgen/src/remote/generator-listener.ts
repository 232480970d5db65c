/**
 * The listener through which a coordinator on another host uses this one for load generators: `load-worker.js --listen
 * HOST:PORT --token-file FILE`. It serves one coordinator at a time, and each link of it gets a process of its own.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { HostSession } from './host-session.ts';
import { healthPath, linkHeaders, linkPath, linkProtocol } from './protocol.ts';

export interface GeneratorListenerOptions {
  host: string;
  /** 0 for a free one. */
  port: number;
  token: string;
  /** Script of the generator processes; default: the usual place. */
  workerPath: string | undefined;
  heartbeatMs?: number;
}

interface Refusal {
  status: number;
  text: string;
}

export class GeneratorListener {
  readonly #options: GeneratorListenerOptions;
  readonly #server: Server;
  readonly #sessions = new Set<HostSession>();
  /** Accepted links that have no session yet. */
  #arriving = 0;
  /** The coordinator of all sessions. */
  #coordinator = '';

  /** @throws Error of the system when the address cannot be listened on */
  static async listen(options: GeneratorListenerOptions): Promise<GeneratorListener> {
    const listener = new GeneratorListener(options);
    listener.#server.listen(options.port, options.host);
    await once(listener.#server, 'listening');
    return listener;
  }

  private constructor(options: GeneratorListenerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      const isHealth = request.method === 'GET' && request.url === healthPath;
      response.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/json' });
      response.end(isHealth ? '{"kind":"generator"}' : '{}');
    });
    this.#server.on('upgrade', (request, socket, head) => void this.#link(request, socket, head));
  }

  get address(): AddressInfo {
    return this.#server.address() as AddressInfo;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.all([...this.#sessions].map((session) => session.close()));
  }

  async #link(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // A peer that resets the connection during the handshake.
    socket.on('error', () => socket.destroy());
    const refusal = this.#refusalOf(request);
    if (refusal) {
      refuse(socket, refusal);
      return;
    }
    this.#coordinator = coordinatorOf(request);
    // Its processes must not share the host with those of a coordinator that has gone.
    this.#arriving++;
    await Promise.all([...this.#sessions].filter(({ isOpen }) => !isOpen).map(({ ended }) => ended));
    this.#arriving--;
    if (socket.destroyed) return;
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${linkProtocol}\r\n\r\n`);
    const { workerPath, heartbeatMs } = this.#options;
    const session = new HostSession(socket, { head, workerPath, heartbeatMs });
    this.#sessions.add(session);
    void session.ended.finally(() => this.#sessions.delete(session));
  }

  #refusalOf(request: IncomingMessage): Refusal | undefined {
    if (request.method !== 'GET' || request.url !== linkPath) return { status: 404, text: 'no such path' };
    if (!isToken(request.headers[linkHeaders.token], this.#options.token))
      return { status: 401, text: 'the token is missing or wrong' };
    if (request.headers.upgrade !== linkProtocol)
      return { status: 426, text: `this generator speaks ${linkProtocol}: its version of topo-bench is another one` };
    const isInUse = this.#arriving > 0 || [...this.#sessions].some(({ isOpen }) => isOpen);
    if (isInUse && coordinatorOf(request) !== this.#coordinator)
      return { status: 409, text: 'another coordinator uses this generator' };
    return undefined;
  }
}

function coordinatorOf({ headers }: IncomingMessage): string {
  return String(headers[linkHeaders.coordinator] ?? '');
}

/** Takes equally long for every wrong token. */
function isToken(given: string | string[] | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(token));
}

function refuse(socket: Duplex, { status, text }: Refusal): void {
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Content-Type: text/plain', 'Connection: close'];
  socket.end(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}
