/** The streams of a connection by number, and what a number that is not there means: not yet opened, or over. */
import { RecentIds } from './recent-ids.ts';
import type { Http2Stream } from './stream.ts';

export class StreamTable {
  private readonly streams = new Map<number, Http2Stream>();
  private readonly recentlyReset = new RecentIds();
  /** Of those that this side opens. */
  private nextId = 1;
  /** Highest of those that the other side has opened. */
  lastPeerId = 0;

  constructor(private readonly isServer: boolean) {}

  get size(): number {
    return this.streams.size;
  }

  /** Whether there are numbers left for streams of this side. */
  get hasNumbers(): boolean {
    return this.nextId < 2 ** 31;
  }

  get(id: number): Http2Stream | undefined {
    return this.streams.get(id);
  }

  all(): Http2Stream[] {
    return [...this.streams.values()];
  }

  /** Gives a stream of this side its number. */
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

  /** What the other side has sent of it before it knew is no fault. */
  wasReset(id: number): boolean {
    return this.recentlyReset.has(id);
  }

  /** Whether headers with this number would open a stream. */
  isNext(id: number): boolean {
    return this.isServer && id % 2 === 1 && id > this.lastPeerId;
  }

  /** Whether a stream with this number was never opened. */
  isIdle(id: number): boolean {
    const isOfClient = id % 2 === 1;
    if (!isOfClient) return id > 0; // Servers open none.
    return this.isServer ? id > this.lastPeerId : id >= this.nextId;
  }
}
