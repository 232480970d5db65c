/** Sends a schema and batches as FlightData on one call, on client and server. */
import type { RecordBatch, Schema } from 'apache-arrow';
import type { OutgoingMessages } from '../grpc/outgoing-messages.ts';
import { BatchEncoder, encodeSchema } from '../ipc/batch-encoder.ts';
import type { Codec } from '../ipc/compression/buffer-codec.ts';
import type { FlightDescriptor } from './descriptor.ts';
import { frameFlightData } from './flight-data.ts';

export class ChunkSender {
  private readonly encoder: BatchEncoder;

  constructor(
    private readonly outgoing: OutgoingMessages,
    codec?: Codec,
  ) {
    this.encoder = new BatchEncoder(codec);
  }

  /** Opens an upload or exchange that has no schema yet. */
  sendDescriptor(descriptor: FlightDescriptor): Promise<void> | undefined {
    return this.outgoing.sendFramed(frameFlightData({ descriptor }));
  }

  sendSchema(schema: Schema, descriptor?: FlightDescriptor): Promise<void> | undefined {
    return this.outgoing.sendFramed(
      frameFlightData({ header: encodeSchema(schema), ...(descriptor ? { descriptor } : {}) }),
    );
  }

  /**
   * Sends nothing without batch and metadata.
   * @param onWritten called when the system has taken all bytes of the batch; never if the call ends before
   * @returns a promise under back-pressure
   */
  send(
    batch: RecordBatch | undefined,
    appMetadata: Uint8Array | undefined,
    onWritten?: () => void,
  ): Promise<void> | undefined {
    const metadata = appMetadata && appMetadata.length > 0 ? { appMetadata } : {};
    if (!batch) return metadata.appMetadata ? this.outgoing.sendFramed(frameFlightData(metadata)) : undefined;
    const messages = this.encoder.encode(batch);
    const last = messages.length - 1;
    return this.outgoing.sendFramed(
      messages.flatMap(({ metadata: header, body, bodyBytes }, i) => {
        return frameFlightData({ header, body, bodyBytes, ...(i === last ? metadata : {}) });
      }),
      onWritten,
    );
  }
}
