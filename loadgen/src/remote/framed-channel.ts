/**
 * Messages over one duplex connection, whole and in order, with a heartbeat in both directions. A frame is the length
 * of its payload (4 bytes, big-endian) and the payload, a value in V8's format: samples stay bit for bit what they are.
 * An empty frame is a heartbeat.
 */
import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

export interface ChannelOptions<Received> {
  /** Bytes that arrived before the channel was made. */
  head: Buffer;
  onMessage(message: Received): void;
  /** Called once, when the connection ends or the peer is silent, unless `close` came first. */
  onEnd(reason: string): void;
  /** Default: 5 s. A peer that sends nothing for six times as long is gone. */
  heartbeatMs?: number | undefined;
}

const lengthBytes = 4;
const maxPayloadBytes = 2 ** 32 - 1;
const defaultHeartbeatMs = 5000;
const missedHeartbeats = 6;
/** A peer that does not close its side in time is cut off. */
const closeMs = 1000;

export class FramedChannel<Received, Sent> {
  readonly #stream: Duplex;
  readonly #options: ChannelOptions<Received>;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #closed: Promise<void>;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #lastReceivedMs = performance.now();
  #ended = false;

  constructor(stream: Duplex, options: ChannelOptions<Received>) {
    const { head, heartbeatMs = defaultHeartbeatMs } = options;
    this.#stream = stream;
    this.#options = options;
    this.#closed = new Promise((resolve) => stream.once('close', resolve));
    this.#heartbeat = setInterval(() => this.#beat(heartbeatMs * missedHeartbeats), heartbeatMs);
    stream.on('error', (error) => this.#end(error.message));
    stream.on('end', () => this.#end('the connection was closed'));
    stream.on('close', () => this.#end('the connection was closed'));
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    if (head.length > 0) this.#receive(head);
  }

  /** A slow peer delays the delivery and loses nothing: frames wait in the memory of this process. */
  send(message: Sent): void {
    if (this.#ended) return;
    const payload = serialize(message);
    if (payload.length > maxPayloadBytes) throw new RangeError(`a message of ${payload.length} bytes fits no frame`);
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(payload.length);
    this.#stream.cork();
    this.#stream.write(length);
    this.#stream.write(payload);
    this.#stream.uncork();
  }

  /** Delivers what was sent, then ends the connection. Resolves when it has ended. */
  async close(): Promise<void> {
    this.#stop();
    this.#stream.end();
    const destroying = setTimeout(() => this.#stream.destroy(), closeMs);
    await this.#closed;
    clearTimeout(destroying);
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#stop();
    this.#stream.destroy();
  }

  get closed(): Promise<void> {
    return this.#closed;
  }

  #beat(limitMs: number): void {
    const silentMs = performance.now() - this.#lastReceivedMs;
    if (silentMs > limitMs) this.#end(`nothing was received for ${Math.round(silentMs / 1e3)} s`);
    else this.#stream.write(Buffer.alloc(lengthBytes));
  }

  #receive(chunk: Buffer): void {
    this.#lastReceivedMs = performance.now();
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    for (let payload = this.#take(); payload; payload = this.#take()) {
      if (payload.length === 0) continue;
      let message: Received;
      try {
        message = deserialize(payload) as Received;
      } catch (error) {
        this.#end(`a message could not be read: ${(error as Error).message}`);
        return;
      }
      if (!this.#ended) this.#options.onMessage(message);
    }
  }

  /** The payload of the next frame; undefined while it is incomplete. */
  #take(): Buffer | undefined {
    if (this.#bytes < lengthBytes) return undefined;
    if ((this.#chunks[0] as Buffer).length < lengthBytes) this.#chunks = [Buffer.concat(this.#chunks)];
    const end = lengthBytes + (this.#chunks[0] as Buffer).readUInt32BE(0);
    if (this.#bytes < end) return undefined;
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#chunks = all.length > end ? [all.subarray(end)] : [];
    this.#bytes -= end;
    return all.subarray(lengthBytes, end);
  }

  #end(reason: string): void {
    if (this.#ended) return;
    this.destroy();
    this.#options.onEnd(reason);
  }

  #stop(): void {
    this.#ended = true;
    clearInterval(this.#heartbeat);
  }
}
