/**
 * Reads a connection straight into the final memory of its content, and everything else into a reused buffer. Sockets
 * of Node.js otherwise allocate fresh memory for every 64 KiB; filling, copying and collecting it costs more than the
 * read itself.
 *
 * The only file that uses an undocumented interface of Node.js: the handle of an accepted socket
 * (docs/decisions/0015-flight-on-http2.md).
 */
import { type OnReadOpts, type ServerOpts, Socket } from 'node:net';
import type { Http2Connection } from './connection.ts';

/** Shared by all connections: its content is consumed before the next read. */
const shared = Buffer.allocUnsafeSlow(262_144);
/** Little lies between two direct reads; a small buffer keeps the next one out of it. */
const betweenParts = shared.subarray(0, 16_384);

export class DirectReading {
  private connection: Http2Connection | undefined;
  private isDirect = false;
  private isBetweenParts = false;

  /** Option `onread` of the socket. */
  readonly onread: OnReadOpts = {
    buffer: () => this.next() as Uint8Array<ArrayBuffer>,
    callback: (bytes, memory) => this.take(bytes, memory as Buffer),
  };

  /** Starts reading. Call it before anything has been received. */
  begin(connection: Http2Connection): void {
    this.connection = connection;
    connection.socket.resume();
  }

  private next(): Uint8Array {
    const space = this.connection?.space();
    this.isDirect = space !== undefined;
    return space ?? (this.isBetweenParts ? betweenParts : shared);
  }

  private take(bytes: number, memory: Buffer): boolean {
    if (this.isDirect) this.connection?.filled(bytes);
    else this.connection?.receive(memory.subarray(0, bytes));
    // The small buffer was filled: what follows is not content of a direct read.
    this.isBetweenParts = this.isDirect || (this.isBetweenParts && bytes < betweenParts.length);
    return true;
  }
}

/** Options of a server that reads directly: accepted sockets must not be read before. */
export const directServerOptions: ServerOpts = { pauseOnConnect: true, noDelay: true };

/**
 * Replaces an accepted socket by one that reads with `reading`.
 * @returns undefined when Node.js does not expose the handle
 */
export function readDirectly(socket: Socket, reading: Pick<DirectReading, 'onread'>): Socket | undefined {
  const holder = socket as unknown as { _handle?: object | null };
  const handle = holder._handle;
  if (!handle) return undefined;
  holder._handle = null;
  const direct = new Socket({ handle, onread: reading.onread } as ConstructorParameters<typeof Socket>[0]);
  // The server counts the first socket as its connection.
  direct.once('close', () => socket.destroy());
  return direct;
}
