/**
 * Lets the system read a connection straight into the memory where data belong, and all else into memory that is used again. Sockets of
 * Node.js otherwise hand out every 64 KiB in fresh memory: to fill that, copy from it and collect it costs more than the reading itself.
 */
import { type OnReadOpts, type ServerOpts, Socket } from 'node:net';
import type { Http2Connection } from './connection.ts';

/** Shared by all connections: what was read into it is taken before anything else is read. */
const shared = Buffer.allocUnsafeSlow(262_144);
/** Between parts that are read straight into place stands little, of which the next such part should not be. */
const betweenParts = shared.subarray(0, 16_384);

export class DirectReading {
  private connection: Http2Connection | undefined;
  private isDirect = false;
  private isBetweenParts = false;

  /** For the socket to be made with. */
  readonly onread: OnReadOpts = {
    buffer: () => this.next() as Uint8Array<ArrayBuffer>,
    callback: (bytes, memory) => this.take(bytes, memory as Buffer),
  };

  /** Before anything has come. */
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
    // More than fits between two parts, so it is none that comes.
    this.isBetweenParts = this.isDirect || (this.isBetweenParts && bytes < betweenParts.length);
    return true;
  }
}

/** For servers whose connections are read directly: nothing may be read before. */
export const directServerOptions: ServerOpts = { pauseOnConnect: true, noDelay: true };

/** A socket of a server as one that is read with `reading`; undefined where Node.js does not give its handle away. */
export function readDirectly(socket: Socket, reading: Pick<DirectReading, 'onread'>): Socket | undefined {
  const holder = socket as unknown as { _handle?: object | null };
  const handle = holder._handle;
  if (!handle) return undefined;
  holder._handle = null;
  const direct = new Socket({ handle, onread: reading.onread } as ConstructorParameters<typeof Socket>[0]);
  // The first one stands in the server's account of connections.
  direct.once('close', () => socket.destroy());
  return direct;
}
