/**
 * A COPY as a query of the driver, which accepts any object with `submit` and the handlers below. While the COPY runs,
 * the bytes of the socket come here instead of the driver, as in the package pg-copy-streams.
 */
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import type { Chunk } from './column-decoder.ts';
import { CopyMessages } from './copy-messages.ts';

/** The part of the driver's connection that a query of our own uses; the published types lack `query`. */
interface CopyConnection {
  readonly stream: Duplex;
  query(text: string): void;
}

export interface CopySink {
  onData(chunk: Chunk, from: number, to: number): void;
  /** After each chunk of the socket. */
  onChunk(): void;
  /** All data has arrived. @param rows as the server counted them */
  onDone(rows: number): void;
  onFailure(error: unknown): void;
}

type Listener = (bytes: Buffer) => void;

export class CopyQuery {
  private stream: Duplex | undefined;
  private listeners: Listener[] = [];
  private isOver = false;
  private rows = -1;
  private readonly messages = new CopyMessages({
    onData: (chunk, from, to) => this.sink.onData(chunk, from, to),
    onOther: (bytes, isEnd) => {
      const { listeners } = this;
      if (isEnd) this.release();
      for (const listener of listeners) listener(bytes);
    },
  });

  constructor(
    private readonly text: string,
    private readonly sink: CopySink,
  ) {}

  start(client: pg.Client): void {
    client.query(this as unknown as pg.Submittable);
  }

  pause(): void {
    this.stream?.pause();
  }

  resume(): void {
    this.stream?.resume();
  }

  /** Ignores what still arrives; the owner closes the connection. */
  abandon(): void {
    this.isOver = true;
    this.resume();
  }

  // The methods below are called by the driver.

  submit(connection: CopyConnection): void {
    this.stream = connection.stream;
    this.listeners = this.stream.listeners('data') as Listener[];
    for (const listener of this.listeners) this.stream.off('data', listener);
    this.stream.on('data', this.receive);
    connection.query(this.text);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? -1);
  }

  handleReadyForQuery(): void {
    this.finish(() => this.sink.onDone(this.rows));
  }

  handleError(error: unknown): void {
    this.release();
    this.finish(() => this.sink.onFailure(error));
  }

  private readonly receive = (bytes: Buffer): void => {
    if (this.isOver) return;
    try {
      this.messages.push(bytes);
      this.sink.onChunk();
    } catch (error) {
      this.finish(() => this.sink.onFailure(error));
    }
  };

  private finish(report: () => void): void {
    if (this.isOver) return;
    this.isOver = true;
    report();
  }

  private release(): void {
    this.stream?.off('data', this.receive);
    for (const listener of this.listeners) this.stream?.on('data', listener);
    this.listeners = [];
  }
}
