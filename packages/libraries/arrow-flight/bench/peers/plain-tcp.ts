/**
 * The most that one process of Node.js at each end moves over TCP: nothing is framed, what is written is large and
 * always the same memory, and the system reads into one buffer that is used again.
 */
import { type AddressInfo, connect, createServer, type OnReadOpts, type Server, type Socket } from 'node:net';
import { directServerOptions, readDirectly } from '../../../http2/bench/shared/direct-reading.ts';
import { type Job, rowBytes, ticketOf } from '../job.ts';
import { noteCall, noteReceived, noteSent } from './our-account.ts';

/** Memory of all connections, as nothing is kept; both stay in the processor's caches. */
const readMemory = Buffer.allocUnsafeSlow(1024 ** 2);
const written = Buffer.alloc(1024 ** 2);
/** A request is `VERB TICKET`, padded to this. */
const headBytes = 64;

/** Counts what comes. */
class Reading {
  bytes = 0;

  /** @param onBytes called after each read, with the bytes of that read */
  constructor(private readonly onBytes: (chunk: Buffer) => void = () => {}) {}

  readonly onread: OnReadOpts = {
    buffer: readMemory,
    callback: (bytes, memory) => {
      this.bytes += bytes;
      this.onBytes((memory as Buffer).subarray(0, bytes));
      return true;
    },
  };
}

/** @returns `host:port` */
export async function servePlainTcp(): Promise<{ location: string; server: Server }> {
  const server = createServer(directServerOptions, serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { location: `127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

function serve(accepted: Socket): void {
  let expected: number | undefined;
  const reading = new Reading((chunk) => {
    if (expected === undefined) expected = begin(chunk);
    if (reading.bytes !== expected) return;
    noteReceived(expected - headBytes);
    socket.end(String(expected - headBytes));
  });
  const socket = direct(accepted, reading);
  socket.resume();

  /** @returns bytes to expect in all; never reached where the caller reads */
  function begin(chunk: Buffer): number {
    const head = chunk.toString('latin1', 0, headBytes).trim();
    const [verb = '', rows, messages] = head.split(' ');
    noteCall(verb, head.slice(verb.length + 1));
    const bytes = Number(rows) * Number(messages) * rowBytes;
    if (verb === 'tcp-put') return bytes + headBytes;
    void send(socket, bytes).then(() => socket.end());
    return Number.POSITIVE_INFINITY;
  }
}

function direct(accepted: Socket, reading: Reading): Socket {
  const socket = readDirectly(accepted, reading);
  if (socket) return socket;
  throw new Error('this Node.js does not let an accepted socket be read directly: plain TCP would be no limit');
}

/** @returns rows that arrived at the receiver */
export async function overPlainTcp(job: Job, location: string): Promise<number> {
  const [host = '', port] = location.split(':');
  let answer = '';
  const reading = new Reading((chunk) => {
    if (job.verb === 'tcp-put') answer += chunk.toString('latin1');
  });
  const socket = connect({ host, port: Number(port), noDelay: true, onread: reading.onread });
  const closed = new Promise((resolve, reject) => socket.once('close', resolve).once('error', reject));
  noteCall(job.verb, ticketOf(job));
  socket.write(`${job.verb} ${ticketOf(job)}`.padEnd(headBytes));
  if (job.verb === 'tcp-put') await send(socket, job.rows * job.messages * rowBytes);
  await closed;
  if (job.verb === 'tcp-put') return Number(answer) / rowBytes;
  noteReceived(reading.bytes);
  return reading.bytes / rowBytes;
}

async function send(socket: Socket, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; left -= written.length) {
    const piece = left < written.length ? written.subarray(0, left) : written;
    noteSent(piece.length);
    if (!socket.write(piece)) await new Promise((resolve) => socket.once('drain', resolve));
  }
}
