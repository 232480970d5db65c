/**
 * Writes frames to a socket, many per system call. Large pieces are sent from their own memory. Small pieces are copied
 * into one buffer, since a separate entry for each would cost more.
 */
import type { Socket } from 'node:net';
import { frameHeaderBytes, frameTypes } from './protocol.ts';

const arenaBytes = 32_768;
/** Smaller pieces are copied. */
const minOwnBytes = 4096;

export class FrameOutput {
  private chunks: Uint8Array[] = [];
  /** Callbacks for the end of the next flush. */
  private written: (() => void)[] = [];
  private arena = Buffer.alloc(0);
  private arenaFrom = 0;
  private arenaTo = 0;
  private isScheduled = false;
  /** Bytes not yet passed to the socket. */
  private waitingBytes = 0;

  /** @param beforeFlush called once per turn of the event loop, before its output is flushed */
  constructor(
    private readonly socket: Socket,
    private readonly beforeFlush: () => void,
  ) {}

  /** Bytes queued here and in the socket. */
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

  /** @param piece must not change until `afterWrite` has called back */
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

  /**
   * Calls back when the system has taken all bytes queued so far: the memory of the pieces may change then. Never calls
   * back if the socket is closed before.
   */
  afterWrite(callback: () => void): void {
    this.written.push(callback);
  }

  /** A frame with one number as payload: a reset or a window update. */
  number(type: number, streamId: number, value: number): void {
    this.header(type, 0, streamId, 4);
    const at = this.reserve(4);
    this.arena.writeUInt32BE(value, at);
  }

  windowUpdate(streamId: number, bytes: number): void {
    this.number(frameTypes.windowUpdate, streamId, bytes);
  }

  /** Flushes at the end of this turn, with everything written until then. */
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
    const { chunks, written, socket } = this;
    const last = chunks.pop();
    if (!last) return;
    this.chunks = [];
    this.written = [];
    this.waitingBytes = 0;
    if (socket.destroyed || socket.writableEnded) return;
    socket.cork();
    for (const chunk of chunks) socket.write(chunk);
    if (written.length === 0) socket.write(last);
    else {
      socket.write(last, (error) => {
        if (!error) for (const callback of written) callback();
      });
    }
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
