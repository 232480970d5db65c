/** The batches of one DoGet, or the incoming half of an exchange. */
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

  /** Waits for the schema. @throws FlightError what the server answered instead */
  static async open(call: ClientCall, codecs: Codecs): Promise<FlightReader> {
    const reader = new ChunkReader(call.incoming, { codecs });
    try {
      if (!(await reader.open())) {
        await call.done();
        throw new FlightError('internal', 'the server succeeded without a schema');
      }
      return new FlightReader(call, reader, await reader.readSchema());
    } catch (error) {
      call.cancel();
      throw error;
    }
  }

  /** Batches with what came beside them. Stopping early cancels the call. @throws FlightError */
  chunks(): AsyncGenerator<ReceivedChunk, void, void> {
    return this.read(false);
  }

  /**
   * The same for whoever is done with a batch when asking for the next: its memory is used again then, which is
   * faster.
   */
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

  /** The batches alone. */
  async *[Symbol.asyncIterator](): AsyncGenerator<RecordBatch, void, void> {
    for await (const { batch } of this.chunks()) if (batch) yield batch;
  }

  cancel(): void {
    this.call.cancel();
  }
}
