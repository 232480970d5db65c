/** The sending side of DoPut and DoExchange. */
import type { RecordBatch, Schema } from 'apache-arrow';
import type { ClientCall } from '../grpc/client-call.ts';
import type { Codec, Codecs } from '../ipc/compression/codec.ts';
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

  /** Waits while the server does not keep up. @throws FlightError what the server answered, when it takes no more */
  async write(batch: RecordBatch | undefined, appMetadata?: Uint8Array): Promise<void> {
    const wait = this.sender.send(batch, appMetadata);
    if (wait) await wait;
  }

  /** What the server acknowledges, until it has taken all. @throws FlightError */
  async *acknowledgements(): AsyncGenerator<Uint8Array, void, void> {
    for await (const message of this.call.incoming) yield decodeSingleBytes(message);
    await this.call.done();
  }

  /** No more batches; acknowledgements may still come. */
  end(): void {
    this.call.end();
  }

  /**
   * Ends the upload and waits until the server has taken it all.
   * @returns its acknowledgements that nobody has read;
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

/** Both directions of an exchange, each at its own pace. */
export class FlightExchanger {
  private readonly reader: ChunkReader;

  private constructor(
    private readonly call: ClientCall,
    private readonly sender: ChunkSender,
    codecs: Codecs,
  ) {
    this.reader = new ChunkReader(call.incoming, { codecs });
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

  /** Before the first batch. */
  async begin(schema: Schema): Promise<void> {
    await this.sender.sendSchema(schema);
  }

  async write(batch: RecordBatch | undefined, appMetadata?: Uint8Array): Promise<void> {
    const wait = this.sender.send(batch, appMetadata);
    if (wait) await wait;
  }

  /** No more from here; the server may still send. */
  end(): void {
    this.call.end();
  }

  /** Of what the server sends; undefined until its schema has come. */
  get schema(): Schema | undefined {
    return this.reader.schema;
  }

  /** What the server sends. Stopping early cancels the call. @throws FlightError */
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
