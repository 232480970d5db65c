/** Streams of a client that wait until the server accepts more concurrent streams. */
import type { Headers } from './headers.ts';
import type { Http2Stream } from './stream.ts';

export interface PendingStream {
  stream: Http2Stream;
  headers: Headers;
}

export class PendingStreams {
  private waiting: PendingStream[] = [];

  get size(): number {
    return this.waiting.length;
  }

  add(pending: PendingStream): void {
    this.waiting.push(pending);
  }

  /** The next stream to open; undefined when none waits. */
  next(): PendingStream | undefined {
    return this.waiting.shift();
  }

  remove(stream: Http2Stream): void {
    this.waiting = this.waiting.filter((pending) => pending.stream !== stream);
  }

  /** Removes and returns all streams: they will not be opened. */
  takeAll(): Http2Stream[] {
    return this.waiting.splice(0).map(({ stream }) => stream);
  }
}
