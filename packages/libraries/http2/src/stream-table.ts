/** The streams of a connection by id, and the state of ids without a stream: idle, or closed. */
import type { Http2Stream } from './stream.ts';

export class StreamTable {
  private readonly streams = new Map<number, Http2Stream>();
  private readonly recentlyReset = new RecentIds();
  /** Id of the next stream that this side opens. */
  private nextId = 1;
  /** Highest id that the peer has opened. */
  lastPeerId = 0;

  constructor(private readonly isServer: boolean) {}

  get size(): number {
    return this.streams.size;
  }

  /** Whether this side has stream ids left. */
  get hasNumbers(): boolean {
    return this.nextId < 2 ** 31;
  }

  get(id: number): Http2Stream | undefined {
    return this.streams.get(id);
  }

  all(): Http2Stream[] {
    return [...this.streams.values()];
  }

  /** Assigns an id to a stream of this side. */
  open(stream: Http2Stream): void {
    stream.id = this.nextId;
    this.nextId += 2;
    this.streams.set(stream.id, stream);
  }

  /** Adds a stream that the peer has opened. */
  add(stream: Http2Stream, id: number): void {
    stream.id = id;
    this.streams.set(id, stream);
  }

  remove(id: number): void {
    this.streams.delete(id);
  }

  markReset(id: number): void {
    this.recentlyReset.add(id);
  }

  /** Frames that the peer sent before it saw the reset are not a violation. */
  wasReset(id: number): boolean {
    return this.recentlyReset.has(id);
  }

  /** Whether HEADERS with this id open a stream. */
  isNext(id: number): boolean {
    return this.isServer && id % 2 === 1 && id > this.lastPeerId;
  }

  /** Whether a stream with this id was never opened. */
  isIdle(id: number): boolean {
    const isOfClient = id % 2 === 1;
    if (!isOfClient) return id > 0; // Servers open none.
    return this.isServer ? id > this.lastPeerId : id >= this.nextId;
  }
}

const maxIds = 1000;

/** Recently reset streams: frames that the peer sent before it saw the reset are not a violation. */
class RecentIds {
  private readonly ids = new Set<number>();

  add(id: number): void {
    this.ids.add(id);
    if (this.ids.size <= maxIds) return;
    for (const oldest of this.ids) {
      this.ids.delete(oldest);
      return;
    }
  }

  has(id: number): boolean {
    return this.ids.has(id);
  }
}
