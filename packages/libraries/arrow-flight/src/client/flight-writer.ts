/** Sends the batches of DoPut and DoExchange. */
import type { RecordBatch, Schema } from 'apache-arrow';
import type { ClientCall } from '../grpc/client-call.ts';
import type { Codec } from '../ipc/compression/buffer-codec.ts';
import type { Codecs } from '../ipc/compression/codec.ts';
import { ChunkReader, type ReceivedChunk } from '../protocol/chunk-reader.ts';
import { ChunkSender } from '../protocol/chunk-sender.ts';
import type { FlightDescriptor } from '../protocol/descriptor.ts';
import { decodeSingleBytes } from '../protocol/small-messages.ts';

export class FlightWriter {
  private constructor(
    private readonly call: ClientCall,
    private readonly sender: ChunkSender,
  ) {}

  static async open(
    call: ClientCall,
    descriptor: FlightDescriptor,
    schema: Schema,
    codec?: Codec,
  ): Promise<FlightWriter> {
    const sender = new ChunkSender(call.outgoing, codec);
    await sender.sendSchema(schema, descriptor);
    return new FlightWriter(call, sender);
  }

  /**
   * Sends a batch. Waits under back-pressure from the server.
   * @throws FlightError the status of a call that the server has ended
   */
  async write(batch: RecordBatch | undefined, appMetadata?: Uint8Array): Promise<void> {
    const wait = this.sender.send(batch, appMetadata);
    if (wait) await wait;
  }

  /**
   * Acknowledgements of the server, until the end of the call.
   * @throws FlightError
   */
  async *acknowledgements(): AsyncGenerator<Uint8Array, void, void> {
    for await (const message of this.call.incoming) yield decodeSingleBytes(message);
    await this.call.done();
  }

  /** Ends the batches. Acknowledgements may still arrive. */
  end(): void {
    this.call.end();
  }

  /**
   * Ends the upload and waits until the server has processed it.
   * @returns the unread acknowledgements
   * @throws FlightError
   */
  async finish(): Promise<Uint8Array[]> {
    this.end();
    const rest: Uint8Array[] = [];
    for await (const metadata of this.acknowledgements()) rest.push(metadata);
    return rest;
  }

  cancel(): void {
    this.call.cancel();
  }
}

/** Both directions of an exchange, independent of each other. */
export class FlightExchanger {
  private readonly reader: ChunkReader;

  private constructor(
    private readonly call: ClientCall,
    private readonly sender: ChunkSender,
    codecs: Codecs,
  ) {
    this.reader = new ChunkReader(call.incoming, codecs);
  }

  static async open(
    call: ClientCall,
    descriptor: FlightDescriptor,
    codecs: Codecs,
    codec?: Codec,
  ): Promise<FlightExchanger> {
    const sender = new ChunkSender(call.outgoing, codec);
    await sender.sendDescriptor(descriptor);
    return new FlightExchanger(call, sender, codecs);
  }

  /** Sends the schema; required before the first batch. */
  async begin(schema: Schema): Promise<void> {
    await this.sender.sendSchema(schema);
  }

  async write(batch: RecordBatch | undefined, appMetadata?: Uint8Array): Promise<void> {
    const wait = this.sender.send(batch, appMetadata);
    if (wait) await wait;
  }

  /** Ends the outgoing direction. The server may still send. */
  end(): void {
    this.call.end();
  }

  /** Schema of the incoming direction; undefined until it arrives. */
  get schema(): Schema | undefined {
    return this.reader.schema;
  }

  /**
   * Batches and metadata from the server. Stopping early cancels the call.
   * @throws FlightError
   */
  async *chunks(): AsyncGenerator<ReceivedChunk, void, void> {
    try {
      for (let chunk = await this.reader.next(); chunk; chunk = await this.reader.next()) yield chunk;
      await this.call.done();
    } finally {
      this.call.cancel();
    }
  }

  cancel(): void {
    this.call.cancel();
  }
}
