/** The service behind a Flight server: one optional function per verb. A missing verb answers `unimplemented`. */
import type { Headers } from '@topo-bench/http2';
import type { RecordBatch, Schema } from 'apache-arrow';
import type { Codec } from '../ipc/compression/buffer-codec.ts';
import type { FlightDescriptor } from '../protocol/descriptor.ts';
import type { FlightInfo } from '../protocol/flight-info.ts';
import type { FlightAction, FlightActionType } from '../protocol/small-messages.ts';

/** Identity and state of the caller. */
export interface CallContext {
  /** Aborts soon after the caller cancels, disconnects or exceeds its deadline. */
  signal: AbortSignal;
  /** The authenticated user; undefined without authentication. */
  user: string | undefined;
  /** Headers of the call, e.g. those of client middleware. */
  headers: Headers;
  /** Address of the caller. */
  peer: string;
}

/** A batch, application metadata, or both. */
export interface FlightChunk {
  batch?: RecordBatch;
  appMetadata?: Uint8Array;
  /**
   * For a chunk that a service sends: called when the system has taken all bytes of the batch, so that its memory may
   * change. Never called if the call ends before. The values of dictionaries must not change even then.
   */
  onWritten?: () => void;
}

type Many<T> = AsyncIterable<T> | Iterable<T>;

/**
 * The response of DoGet. Batches are read with back-pressure; the source is ended (`return`) when the caller
 * disconnects.
 */
export interface FlightStream {
  schema: Schema;
  batches: Many<RecordBatch | FlightChunk>;
  /** Compresses the buffers of batches. Default: none. */
  codec?: Codec;
}

/** The request of DoPut. */
export interface FlightUpload {
  descriptor: FlightDescriptor;
  schema: Schema;
  /** Must be read to its end: unread data blocks the sender. */
  chunks: AsyncIterable<FlightChunk>;
  /** Faster alternative to `chunks`: the memory of a chunk is reused once the consumer requests the next one. */
  borrowedChunks: AsyncIterable<FlightChunk>;
  /** Sends an acknowledgement to the sender. */
  acknowledge(appMetadata: Uint8Array): Promise<void>;
}

/** The request and response of DoExchange. `schema` is set if the caller sends one before its first batch. */
export interface FlightExchange {
  descriptor: FlightDescriptor;
  /** Undefined if the caller sends only metadata. */
  schema: Schema | undefined;
  chunks: AsyncIterable<FlightChunk>;
  /** Sends the schema; required before the first batch. */
  begin(schema: Schema): Promise<void>;
  /** Waits under back-pressure from the caller. */
  send(chunk: FlightChunk): Promise<void>;
}

export interface FlightService {
  /** @param criteria empty for all flights */
  listFlights?(criteria: Uint8Array, context: CallContext): Many<FlightInfo>;
  getFlightInfo?(descriptor: FlightDescriptor, context: CallContext): Promise<FlightInfo> | FlightInfo;
  getSchema?(descriptor: FlightDescriptor, context: CallContext): Promise<Schema> | Schema;
  doGet?(ticket: Uint8Array, context: CallContext): Promise<FlightStream> | FlightStream;
  doPut?(upload: FlightUpload, context: CallContext): Promise<void>;
  doExchange?(exchange: FlightExchange, context: CallContext): Promise<void>;
  /** @returns the results, each as bytes in any format */
  doAction?(action: FlightAction, context: CallContext): Many<Uint8Array>;
  listActions?(context: CallContext): Many<FlightActionType>;
}
