/** One end of an HTTP/2 connection, frame by frame and without a thought: what it sends need make no sense. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** RFC 9113, section 6. */
export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** RFC 9113, section 7. */
export const errorCodes = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  settingsTimeout: 4,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  enhanceYourCalm: 11,
} as const;

export const flags = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 32 } as const;
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export interface Frame {
  type: number;
  flags: number;
  stream: number;
  payload: Buffer;
}

export function frame(type: number, flagBits: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flagBits, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Numbers as 32 bits each, as WINDOW_UPDATE, RST_STREAM and GOAWAY have them. */
export function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * i);
  return bytes;
}

/** The payload of SETTINGS. */
export function settings(values: Readonly<Record<number, number>>): Buffer {
  return Buffer.concat(
    Object.entries(values).map(([id, value]) => Buffer.concat([Buffer.from([0, Number(id)]), words(value)])),
  );
}

export class RawPeer {
  /** What has come and was not asked for yet. */
  private readonly frames: Frame[] = [];
  private rest: Buffer = Buffer.alloc(0);
  private wake: () => void = () => {};
  isClosed = false;
  receivedBytes = 0;

  /** @param skipBytes of what comes first: the words with which a client begins */
  constructor(
    readonly socket: Socket,
    private skipBytes = 0,
  ) {
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', () => {}); // A peer may end the connection while we still send.
    socket.on('close', () => {
      this.isClosed = true;
      this.wake();
    });
  }

  static async to(port: number): Promise<RawPeer> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new RawPeer(socket);
  }

  /** A client that has said hello, with these settings. */
  static async client(port: number, values: Readonly<Record<number, number>> = {}): Promise<RawPeer> {
    const peer = await RawPeer.to(port);
    peer.send(preface, frame(frameTypes.settings, 0, 0, settings(values)));
    return peer;
  }

  /** What a server makes of frames on a connection of their own, which ends then. */
  static async answersTo(port: number, ...sent: Uint8Array[]): Promise<Frame[]> {
    const peer = await RawPeer.client(port);
    peer.send(...sent);
    const frames = await peer.settle();
    if (frames.at(-1)?.type === frameTypes.goaway) await peer.next(); // Nothing but the end follows.
    peer.close();
    return frames;
  }

  send(...parts: Uint8Array[]): void {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(parts));
  }

  /** @returns the next frame of those, the others dropped; undefined when the connection ends first */
  async next(...types: number[]): Promise<Frame | undefined> {
    for (;;) {
      const next = this.frames.shift();
      if (next && types.includes(next.type)) return next;
      if (next) continue;
      if (this.isClosed) return undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /**
   * Sends PING and waits for its answer.
   * @returns the frames before it; the last one is GOAWAY where the connection ended instead
   */
  async settle(): Promise<Frame[]> {
    const seen: Frame[] = [];
    this.send(frame(frameTypes.ping, 0, 0, Buffer.from('settled?')));
    for (;;) {
      const next = await this.next(...Object.values(frameTypes));
      if (!next || (next.type === frameTypes.ping && next.payload.toString() === 'settled?')) return seen;
      seen.push(next);
      if (next.type === frameTypes.goaway) return seen;
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.receivedBytes += chunk.length;
    const skipped = Math.min(this.skipBytes, chunk.length);
    this.skipBytes -= skipped;
    this.rest = Buffer.concat([this.rest, chunk.subarray(skipped)]);
    for (;;) {
      if (this.rest.length < 9) break;
      const end = 9 + this.rest.readUIntBE(0, 3);
      if (this.rest.length < end) break;
      this.frames.push({
        type: this.rest.readUInt8(3),
        flags: this.rest.readUInt8(4),
        stream: this.rest.readUInt32BE(5) & 0x7fff_ffff,
        payload: Buffer.from(this.rest.subarray(9, end)),
      });
      this.rest = this.rest.subarray(end);
    }
    this.wake();
  }
}

const nameOf = (code: number): string =>
  Object.entries(errorCodes).find(([, value]) => value === code)?.[0] ?? String(code);

/** What the other side made of it: `goaway CODE`, or `reset STREAM CODE` for each stream, or nothing. */
export function outcomeOf(frames: readonly Frame[]): string {
  const goaway = frames.find(({ type }) => type === frameTypes.goaway);
  if (goaway) return `goaway ${nameOf(goaway.payload.readUInt32BE(4))}`;
  const resets = frames.filter(({ type }) => type === frameTypes.rstStream);
  return resets.map(({ stream, payload }) => `reset ${stream} ${nameOf(payload.readUInt32BE(0))}`).join(', ');
}

/** Listens, and hands over each client that comes. Close it with `close`, which ends its connections too. */
export async function startRawServer(onClient: (peer: RawPeer) => void): Promise<{ port: number; close: () => void }> {
  const peers: RawPeer[] = [];
  const server = createServer({ noDelay: true }, (socket) => {
    const peer = new RawPeer(socket, preface.length);
    peers.push(peer);
    onClient(peer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    for (const peer of peers) peer.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}
