/** Reads all endpoints of a flight in parallel, on any server, and yields batches in order of arrival. */
import type { RecordBatch } from 'apache-arrow';
import { FlightError } from '../errors.ts';
import type { CallOptions, ChannelOptions } from '../grpc/grpc-channel.ts';
import type { FlightEndpoint, FlightInfo } from '../protocol/flight-info.ts';
import { FlightClient } from './flight-client.ts';

export interface ReadFlightOptions extends CallOptions {
  /** Max number of open streams. Default: one per endpoint. */
  streams?: number;
  /** Options for connections to other servers. */
  channel?: ChannelOptions;
}

const reuseConnection = /^arrow-flight-reuse-connection:/;

/**
 * Batches of all endpoints in order of arrival. Each stream reads at most one batch ahead.
 * @throws FlightError of the first failing stream; the others are cancelled
 */
export async function* readFlight(
  client: FlightClient,
  info: FlightInfo,
  options: ReadFlightOptions = {},
): AsyncGenerator<RecordBatch, void, void> {
  const { streams = info.endpoints.length, channel, ...call } = options;
  const waiting = [...info.endpoints];
  const abort = new AbortController();
  const signal = call.signal ? AbortSignal.any([call.signal, abort.signal]) : abort.signal;
  const elsewhere = new Map<string, FlightClient>();
  const open = async function* (): AsyncGenerator<RecordBatch, void, void> {
    for (let endpoint = waiting.shift(); endpoint; endpoint = waiting.shift()) {
      yield* await clientOf(endpoint, client, elsewhere, channel).doGet(endpoint.ticket, { ...call, signal });
    }
  };
  try {
    yield* merged(Array.from({ length: Math.min(streams, waiting.length) }, open));
  } finally {
    abort.abort();
    await Promise.all([...elsewhere.values()].map((other) => other.close()));
  }
}

function clientOf(
  { locations }: FlightEndpoint,
  client: FlightClient,
  elsewhere: Map<string, FlightClient>,
  channel?: ChannelOptions,
): FlightClient {
  const isHere =
    locations.length === 0 || locations.some((uri) => uri === client.location || reuseConnection.test(uri));
  if (isHere) return client;
  const location = locations.find((uri) => uri.startsWith('grpc'));
  if (!location) throw new FlightError('unimplemented', `no gRPC location of an endpoint: got ${locations.join(', ')}`);
  const known = elsewhere.get(location) ?? new FlightClient(location, channel);
  elsewhere.set(location, known);
  return known;
}

async function* merged<T>(sources: AsyncGenerator<T, void, void>[]): AsyncGenerator<T, void, void> {
  const next = (source: AsyncGenerator<T, void, void>) => source.next().then((result) => ({ source, result }));
  const pending = new Map(sources.map((source) => [source, next(source)]));
  try {
    while (pending.size > 0) {
      const { source, result } = await Promise.race(pending.values());
      if (result.done) {
        pending.delete(source);
        continue;
      }
      pending.set(source, next(source));
      yield result.value;
    }
  } finally {
    // These reads are abandoned; ignore the errors of their cancellation.
    for (const left of pending.values()) left.catch(() => {});
  }
}
