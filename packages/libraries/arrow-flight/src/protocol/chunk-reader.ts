/** Reads the FlightData of one call as batches and metadata, on client and server. */
import type { RecordBatch, Schema } from 'apache-arrow';
import { FlightError } from '../errors.ts';
import type { IncomingMessages } from '../grpc/incoming-messages.ts';
import { BatchDecoder } from '../ipc/batch-decoder.ts';
import type { Codecs } from '../ipc/compression/codec.ts';
import type { FlightDescriptor } from './descriptor.ts';
import { decodeFlightData, type FlightData } from './flight-data.ts';

export interface ReceivedChunk {
  batch?: RecordBatch;
  appMetadata?: Uint8Array;
}

export class ChunkReader {
  private readonly decoder: BatchDecoder;
  /** Metadata of the first message, until delivered. */
  private firstMetadata: Uint8Array | undefined;
  private isOpen = false;
  private isOver = false;
  /** Message of the last borrowed chunk; its memory is reused. */
  private borrowed: Uint8Array | undefined;
  /** Descriptor of the first message, if any. */
  descriptor: FlightDescriptor | undefined;

  constructor(
    private readonly incoming: IncomingMessages,
    codecs: Codecs,
  ) {
    // The limit of a message holds for what it becomes, too.
    this.decoder = new BatchDecoder({ codecs, maxMessageBytes: incoming.maxMessageBytes });
  }

  /** Schema of the stream; undefined until it arrives. */
  get schema(): Schema | undefined {
    return this.decoder.schema;
  }

  /**
   * Reads the first message, with the descriptor and usually the schema.
   * @returns whether there was a message
   */
  async open(): Promise<boolean> {
    if (this.isOpen) return true;
    const { value, done } = await this.incoming.next();
    if (done) return false;
    this.isOpen = true;
    const data = decodeFlightData(value);
    this.descriptor = data.descriptor;
    if (data.header.length > 0) this.decode(data);
    if (data.appMetadata.length > 0) this.firstMetadata = data.appMetadata;
    return true;
  }

  /**
   * Reads until the schema is known.
   * @throws FlightError when the stream ends before
   */
  async readSchema(): Promise<Schema> {
    const isThere = await this.open();
    if (isThere && !this.schema) {
      const { value, done } = await this.incoming.next();
      if (!done) this.decode(decodeFlightData(value));
    }
    if (!this.schema) throw new FlightError('invalid-argument', 'a stream of batches has no schema');
    return this.schema;
  }

  /**
   * The next chunk; undefined at the end. Handles schema and dictionaries.
   * @param isBorrowed the chunk is valid until the next call, which reuses its memory
   */
  async next(isBorrowed = false): Promise<ReceivedChunk | undefined> {
    await this.open();
    if (this.borrowed) this.incoming.release(this.borrowed);
    this.borrowed = undefined;
    if (this.firstMetadata) {
      const appMetadata = this.firstMetadata;
      this.firstMetadata = undefined;
      return { appMetadata };
    }
    while (!this.isOver) {
      const { value, done } = await this.incoming.next();
      if (done) break;
      const data = decodeFlightData(value);
      const batch = data.header.length > 0 ? this.decode(data) : undefined;
      const metadata = data.appMetadata.length > 0 ? { appMetadata: data.appMetadata } : {};
      if (isBorrowed && batch) this.borrowed = value;
      if (batch) return { batch, ...metadata };
      if (metadata.appMetadata) return metadata;
    }
    this.isOver = true;
    return undefined;
  }

  /** All remaining chunks. */
  async *chunks(areBorrowed = false): AsyncGenerator<ReceivedChunk, void, void> {
    for (let chunk = await this.next(areBorrowed); chunk; chunk = await this.next(areBorrowed)) yield chunk;
  }

  private decode({ header, body }: FlightData): RecordBatch | undefined {
    return this.decoder.decode(header, body);
  }
}
