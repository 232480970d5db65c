/** Distributes the send window of a connection over its streams: one DATA frame each, round-robin. */
import type { FrameOutput } from './frame-output.ts';
import { ConnectionFault, defaultFrameBytes, defaultWindowBytes, errorCodes, maxWindowBytes } from './protocol.ts';
import type { Http2Stream } from './stream.ts';

/** Larger frames would save nothing and delay other streams. */
const maxFrameBytes = 1024 ** 2;
/** Limit of bytes queued in the socket; the rest stays in the streams. */
const maxBacklogBytes = 2 * 1024 ** 2;

export class DataSender {
  private readonly ready = new Set<Http2Stream>();
  private window = defaultWindowBytes;
  /** Largest frame that the peer accepts. */
  frameBytes = defaultFrameBytes;

  constructor(private readonly output: FrameOutput) {}

  add(stream: Http2Stream): void {
    this.ready.add(stream);
    this.output.schedule();
  }

  /** @throws ConnectionFault when the window exceeds 2^31 − 1 bytes */
  openWindow(bytes: number): void {
    this.window += bytes;
    if (this.window > maxWindowBytes) {
      throw new ConnectionFault(errorCodes.flowControlError, 'the window of the connection is beyond 2^31 - 1 bytes');
    }
    if (this.ready.size > 0) this.output.schedule();
  }

  /** Writes as many frames as windows and backlog allow. */
  pump(): void {
    const waiting: Http2Stream[] = [];
    for (const stream of this.ready) {
      if (this.output.backlogBytes >= maxBacklogBytes) break;
      this.ready.delete(stream);
      if (stream.isOver) continue;
      if (stream.queuedBytes > 0) {
        if (this.window <= 0) waiting.push(stream);
        if (this.window <= 0 || stream.sendWindow <= 0) continue; // openWindow of the stream adds it again.
        this.window -= stream.writeData(Math.min(this.frameBytes, maxFrameBytes, this.window));
      }
      if (stream.queuedBytes === 0) stream.finishSending();
      else this.ready.add(stream);
    }
    for (const stream of waiting) this.ready.add(stream);
  }
}
