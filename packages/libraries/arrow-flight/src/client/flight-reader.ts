/** Reads the batches of a DoGet, or the incoming half of an exchange. */
import type { RecordBatch, Schema } from 'apache-arrow';
import { FlightError } from '../errors.ts';
import type { ClientCall } from '../grpc/client-call.ts';
import type { Codecs } from '../ipc/compression/codec.ts';
import { ChunkReader, type ReceivedChunk } from '../protocol/chunk-reader.ts';

export class FlightReader {
  private constructor(
    private readonly call: ClientCall,
    private readonly reader: ChunkReader,
    readonly schema: Schema,
  ) {}

  /**
   * Waits for the schema.
   * @throws FlightError the status of a failed call
   */
  static async open(call: ClientCall, codecs: Codecs): Promise<FlightReader> {
    const reader = new ChunkReader(call.incoming, codecs);
    try {
      if (!(await reader.open())) {
        await call.done();
        throw new FlightError('internal', 'the call succeeded without a schema');
      }
      return new FlightReader(call, reader, await reader.readSchema());
    } catch (error) {
      call.cancel();
      throw error;
    }
  }

  /**
   * Batches with their application metadata. Stopping early cancels the call.
   * @throws FlightError
   */
  chunks(): AsyncGenerator<ReceivedChunk, void, void> {
    return this.read(false);
  }

  /** Like `chunks`, but faster: the memory of a batch is reused once the consumer requests the next one. */
  borrowedChunks(): AsyncGenerator<ReceivedChunk, void, void> {
    return this.read(true);
  }

  private async *read(areBorrowed: boolean): AsyncGenerator<ReceivedChunk, void, void> {
    try {
      yield* this.reader.chunks(areBorrowed);
      await this.call.done();
    } finally {
      this.call.cancel();
    }
  }

  /** Batches without metadata. */
  async *[Symbol.asyncIterator](): AsyncGenerator<RecordBatch, void, void> {
    for await (const { batch } of this.chunks()) if (batch) yield batch;
  }

  cancel(): void {
    this.call.cancel();
  }
}
