/** An Arrow Flight client: all verbs of the protocol, for any server. */
import type { Schema } from 'apache-arrow';
import { FlightError } from '../errors.ts';
import type { ClientCall } from '../grpc/client-call.ts';
import { type CallOptions, type ChannelOptions, GrpcChannel, originOf } from '../grpc/grpc-channel.ts';
import type { Codec } from '../ipc/compression/buffer-codec.ts';
import { loadCodecs } from '../ipc/compression/codec.ts';
import { encodeDescriptor, type FlightDescriptor } from '../protocol/descriptor.ts';
import { findBody } from '../protocol/flight-data.ts';
import { decodeFlightInfo, type FlightInfo } from '../protocol/flight-info.ts';
import { decodeSchemaResult } from '../protocol/schema-message.ts';
import {
  decodeActionType,
  decodeHandshake,
  decodeSingleBytes,
  encodeAction,
  encodeBasicAuth,
  encodeHandshake,
  encodeSingleBytes,
  type FlightAction,
  type FlightActionType,
} from '../protocol/small-messages.ts';
import { FlightReader } from './flight-reader.ts';
import { FlightExchanger, FlightWriter } from './flight-writer.ts';

const servicePath = '/arrow.flight.protocol.FlightService/';

export class FlightClient {
  private readonly channel: GrpcChannel;
  private token: Record<string, string> = {};

  /** @param location `grpc+tcp://host:port` or `grpc+tls://host:port`; connects on the first call */
  constructor(
    readonly location: string,
    options: ChannelOptions = {},
  ) {
    this.channel = new GrpcChannel(originOf(location), options);
  }

  /**
   * Logs in by header. All later calls carry the returned token.
   * @throws FlightError `unauthenticated`
   */
  async authenticateBasic(user: string, password: string, options: CallOptions = {}): Promise<void> {
    const basic = `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
    const call = this.call('Handshake', { ...options, headers: { ...options.headers, authorization: basic } });
    call.end();
    for await (const _ of call.incoming);
    await call.done();
    const { authorization } = call.answerHeaders;
    if (!authorization) throw new FlightError('internal', 'the server accepted the password but returned no token');
    this.token = { authorization };
  }

  /**
   * Logs in by the payload of the handshake, for servers with a token handler.
   * @throws FlightError `unauthenticated`
   */
  async handshake(user: string, password: string, options: CallOptions = {}): Promise<void> {
    const call = this.call('Handshake', options);
    await call.outgoing.send(encodeHandshake({ protocolVersion: 0, payload: encodeBasicAuth({ user, password }) }));
    call.end();
    let payload: Uint8Array = new Uint8Array(0);
    for await (const message of call.incoming) payload = decodeHandshake(message).payload;
    await call.done();
    this.token = { 'auth-token-bin': Buffer.from(payload).toString('base64') };
  }

  /** @param criteria in the server's own format; empty for all flights */
  listFlights(criteria: Uint8Array = new Uint8Array(0), options?: CallOptions): AsyncGenerator<FlightInfo, void, void> {
    return this.many('ListFlights', encodeSingleBytes(criteria), decodeFlightInfo, options);
  }

  getFlightInfo(descriptor: FlightDescriptor, options?: CallOptions): Promise<FlightInfo> {
    return this.one('GetFlightInfo', encodeDescriptor(descriptor), decodeFlightInfo, options);
  }

  getSchema(descriptor: FlightDescriptor, options?: CallOptions): Promise<Schema> {
    return this.one('GetSchema', encodeDescriptor(descriptor), decodeSchemaResult, options);
  }

  /**
   * Opens a stream of batches, read on demand.
   * @returns when the schema is known
   */
  async doGet(ticket: Uint8Array, options?: CallOptions): Promise<FlightReader> {
    const codecs = await loadCodecs();
    const call = this.call('DoGet', options, true);
    await call.outgoing.send(encodeSingleBytes(ticket));
    call.end();
    return FlightReader.open(call, codecs);
  }

  /** @param codec compresses the buffers of batches */
  async doPut(
    descriptor: FlightDescriptor,
    schema: Schema,
    options: CallOptions & { codec?: Codec } = {},
  ): Promise<FlightWriter> {
    return FlightWriter.open(this.call('DoPut', options), descriptor, schema, options.codec);
  }

  async doExchange(
    descriptor: FlightDescriptor,
    options: CallOptions & { codec?: Codec } = {},
  ): Promise<FlightExchanger> {
    const codecs = await loadCodecs();
    return FlightExchanger.open(this.call('DoExchange', options, true), descriptor, codecs, options.codec);
  }

  /** Yields the results, each as bytes in the server's own format. */
  doAction(action: FlightAction, options?: CallOptions): AsyncGenerator<Uint8Array, void, void> {
    return this.many('DoAction', encodeAction(action), decodeSingleBytes, options);
  }

  listActions(options?: CallOptions): AsyncGenerator<FlightActionType, void, void> {
    return this.many('ListActions', new Uint8Array(0), decodeActionType, options);
  }

  /** Drains calls in flight for up to `graceMs`, then aborts them. */
  close(graceMs?: number): Promise<void> {
    return this.channel.close(graceMs);
  }

  private call(verb: string, options: CallOptions = {}, hasBatches = false): ClientCall {
    const headers = { ...this.token, ...options.headers };
    return this.channel.call(servicePath + verb, { ...options, headers }, hasBatches ? findBody : undefined);
  }

  private async one<T>(
    verb: string,
    request: Uint8Array,
    decode: (message: Uint8Array) => T,
    options?: CallOptions,
  ): Promise<T> {
    let first: T | undefined;
    for await (const answer of this.many(verb, request, decode, options)) first ??= answer;
    if (first !== undefined) return first;
    throw new FlightError('internal', `${verb} succeeded without a response`);
  }

  private async *many<T>(
    verb: string,
    request: Uint8Array,
    decode: (message: Uint8Array) => T,
    options?: CallOptions,
  ): AsyncGenerator<T, void, void> {
    const call = this.call(verb, options);
    try {
      await call.outgoing.send(request);
      call.end();
      for await (const message of call.incoming) yield decode(message);
      await call.done();
    } finally {
      call.cancel();
    }
  }
}
