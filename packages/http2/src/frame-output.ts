/**
 * Writes frames to a socket, many with one call of the system. What is large goes as it lies in memory; what is small is copied behind
 * one another, as telling the system of each piece costs more than that.
 */
import type { Socket } from 'node:net';
import { frameHeaderBytes, frameTypes } from './protocol.ts';

const arenaBytes = 32_768;
/** Pieces below this are copied. */
const minOwnBytes = 4096;

export class FrameOutput {
  private chunks: Uint8Array[] = [];
  private arena = Buffer.alloc(0);
  private arenaFrom = 0;
  private arenaTo = 0;
  private isScheduled = false;
  /** Bytes that were written here and have not been given to the socket. */
  private waitingBytes = 0;

  /** @param beforeFlush called once per turn, when all that the turn had to say is known */
  constructor(
    private readonly socket: Socket,
    private readonly beforeFlush: () => void,
  ) {}

  /** Bytes that wait here and in the socket. */
  get backlogBytes(): number {
    return this.waitingBytes + this.socket.writableLength;
  }

  /** A whole frame. */
  frame(type: number, flags: number, streamId: number, payload: Uint8Array): void {
    this.header(type, flags, streamId, payload.length);
    this.bytes(payload);
  }

  /** The header of a frame; `length` bytes must follow. */
  header(type: number, flags: number, streamId: number, length: number): void {
    const at = this.reserve(frameHeaderBytes);
    this.arena.writeUIntBE(length, at, 3);
    this.arena[at + 3] = type;
    this.arena[at + 4] = flags;
    this.arena.writeUInt32BE(streamId, at + 5);
    this.schedule();
  }

  /** @param piece is not to be changed any more when it is large */
  bytes(piece: Uint8Array): void {
    if (piece.length < minOwnBytes) {
      const at = this.reserve(piece.length);
      this.arena.set(piece, at);
      return;
    }
    this.closeArena();
    this.chunks.push(piece);
    this.waitingBytes += piece.length;
  }

  /** A frame of one number, as resets and window updates are. */
  number(type: number, streamId: number, value: number): void {
    this.header(type, 0, streamId, 4);
    const at = this.reserve(4);
    this.arena.writeUInt32BE(value, at);
  }

  windowUpdate(streamId: number, bytes: number): void {
    this.number(frameTypes.windowUpdate, streamId, bytes);
  }

  /** Gives all to the socket at the end of this turn, together with what else is said by then. */
  schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    process.nextTick(() => {
      this.isScheduled = false;
      this.beforeFlush();
      this.flush();
    });
  }

  flush(): void {
    this.closeArena();
    const { chunks, socket } = this;
    if (chunks.length === 0) return;
    this.chunks = [];
    this.waitingBytes = 0;
    if (socket.destroyed || socket.writableEnded) return;
    socket.cork();
    for (const chunk of chunks) socket.write(chunk);
    socket.uncork();
  }

  private reserve(bytes: number): number {
    if (this.arenaTo + bytes > this.arena.length) {
      this.closeArena();
      this.arena = Buffer.allocUnsafeSlow(arenaBytes);
      this.arenaFrom = 0;
      this.arenaTo = 0;
    }
    const at = this.arenaTo;
    this.arenaTo += bytes;
    this.waitingBytes += bytes;
    return at;
  }

  private closeArena(): void {
    if (this.arenaTo === this.arenaFrom) return;
    this.chunks.push(this.arena.subarray(this.arenaFrom, this.arenaTo));
    this.arenaFrom = this.arenaTo;
  }
}
