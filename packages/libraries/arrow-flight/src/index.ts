/** Arrow Flight: server, client and their errors. API reference: API.md */
export { FlightClient } from './client/flight-client.ts';
export type { FlightReader } from './client/flight-reader.ts';
export type { FlightExchanger, FlightWriter } from './client/flight-writer.ts';
export type { ReadFlightOptions } from './client/read-flight.ts';
export { readFlight } from './client/read-flight.ts';
export { ArrowError, type ArrowErrorCode, FlightError, type FlightErrorOptions } from './errors.ts';
export type { GrpcFailure, GrpcStatus } from './grpc/codes.ts';
export type { CallOptions, ChannelOptions } from './grpc/grpc-channel.ts';
export { MessageMemory, messageMemory } from './grpc/message-memory.ts';
export type { StatusOf } from './grpc/server-call.ts';
export { describeDescriptor, type FlightDescriptor } from './protocol/descriptor.ts';
export type { FlightEndpoint, FlightInfo } from './protocol/flight-info.ts';
export type { FlightAction, FlightActionType } from './protocol/small-messages.ts';
export type { AuthenticationOptions } from './server/authentication.ts';
export { FlightServer, type FlightServerOptions } from './server/flight-server.ts';
export type {
  CallContext,
  FlightChunk,
  FlightExchange,
  FlightService,
  FlightStream,
  FlightUpload,
} from './server/flight-service.ts';
