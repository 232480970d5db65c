/**
 * What a Flight server serves: one function per verb, all of them optional. What is left out answers `unimplemented`.
 */
import type { Headers } from '@topo-bench/http2';
import type { RecordBatch, Schema } from 'apache-arrow';
import type { FlightDescriptor } from '../protocol/descriptor.ts';
import type { FlightInfo } from '../protocol/flight-info.ts';
import type { FlightAction, FlightActionType } from '../protocol/small-messages.ts';

/** Who calls, and whether the caller still waits. */
export interface CallContext {
  /** Aborted within a moment of the caller's cancelling, going away, or running out of time. */
  signal: AbortSignal;
  /** Set where the server authenticates its callers. */
  user: string | undefined;
  /** Headers of the call, e.g. those that middleware of the client added. */
  headers: Headers;
  /** Address of the caller. */
  peer: string;
}

/** A batch, or metadata of the application, or both. */
export interface FlightChunk {
  batch?: RecordBatch;
  appMetadata?: Uint8Array;
}

type Many<T> = AsyncIterable<T> | Iterable<T>;

/**
 * What DoGet answers. Batches are asked for as the caller takes them; the source is ended (`return`) when the caller
 * goes.
 */
export interface FlightStream {
  schema: Schema;
  batches: Many<RecordBatch | FlightChunk>;
}

/** What DoPut brings. */
export interface FlightUpload {
  descriptor: FlightDescriptor;
  schema: Schema;
  /** To be read to its end: what is not read in time holds the sender back. */
  chunks: AsyncIterable<FlightChunk>;
  /**
   * In place of `chunks`, for whoever is done with a chunk when asking for the next: its memory is used again then,
   * which is faster.
   */
  borrowedChunks: AsyncIterable<FlightChunk>;
  /** Tells the sender how far the upload is. */
  acknowledge(appMetadata: Uint8Array): Promise<void>;
}

/** Both directions at once. A schema is there when the caller sent one before its first batch. */
export interface FlightExchange {
  descriptor: FlightDescriptor;
  /** Waits for the first message; undefined when the caller sends metadata only. */
  schema: Schema | undefined;
  chunks: AsyncIterable<FlightChunk>;
  /** Before the first batch of the answer. */
  begin(schema: Schema): Promise<void>;
  /** Waits while the caller does not keep up. */
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
  /** @returns the results, each of bytes of any form */
  doAction?(action: FlightAction, context: CallContext): Many<Uint8Array>;
  listActions?(context: CallContext): Many<FlightActionType>;
}
