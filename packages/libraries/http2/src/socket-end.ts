/** The end of a connection: the peer can read our last frames, and the socket is closed in bounded time and memory. */
import type { Socket } from 'node:net';
import type { FrameOutput } from './frame-output.ts';

/** Timeout for the peer to read our last frames. */
const lingerMs = 1000;

export class SocketEnd {
  /** Input is counted and dropped. */
  ignoresInput = false;
  private ignoredBytes = 0;

  /** @param maxIgnoredBytes that the peer may still send: its window, and one frame */
  constructor(
    private readonly socket: Socket,
    private readonly output: FrameOutput,
    private readonly maxIgnoredBytes: number,
  ) {}

  /** Half-closes the socket after everything queued has been sent. */
  begin(): void {
    this.ignoresInput = true;
    this.output.flush();
    this.socket.end();
  }

  /**
   * Drains in-flight data after closing so that the peer can read our GOAWAY; destroys the socket once the peer
   * exceeds its window.
   */
  ignore(bytes: number): void {
    this.ignoredBytes += bytes;
    if (this.ignoredBytes > this.maxIgnoredBytes) this.socket.destroy();
  }

  destroySoon(): void {
    destroyAfter(this.socket, lingerMs);
  }
}

/** Destroys a socket that is still open after `ms`, unless `isDone` returns true. */
export function destroyAfter(socket: Socket, ms: number, isDone: () => boolean = () => false): void {
  const timer = setTimeout(() => {
    if (!isDone()) socket.destroy();
  }, ms);
  timer.unref();
  socket.on('close', () => clearTimeout(timer));
}
