/** The verbs that receive columns: DoPut and DoExchange. */
import { FlightError } from '../errors.ts';
import type { ServerCall } from '../grpc/server-call.ts';
import { loadCodecs } from '../ipc/compression/codec.ts';
import { ChunkReader } from '../protocol/chunk-reader.ts';
import { ChunkSender } from '../protocol/chunk-sender.ts';
import type { FlightDescriptor } from '../protocol/descriptor.ts';
import { encodeSingleBytes } from '../protocol/small-messages.ts';
import type { FlightExchange, FlightUpload } from './flight-service.ts';

export async function servePut(call: ServerCall, put: (upload: FlightUpload) => Promise<void>): Promise<void> {
  const reader = new ChunkReader(call.incoming, await loadCodecs());
  const schema = await reader.readSchema();
  await put({
    descriptor: descriptorOf(reader),
    schema,
    chunks: reader.chunks(),
    borrowedChunks: reader.chunks(true),
    acknowledge: async (appMetadata) => call.outgoing.send(encodeSingleBytes(appMetadata)),
  });
}

export async function serveExchange(
  call: ServerCall,
  exchange: (exchange: FlightExchange) => Promise<void>,
): Promise<void> {
  const reader = new ChunkReader(call.incoming, await loadCodecs());
  if (!(await reader.open())) throw new FlightError('invalid-argument', 'the exchange has no descriptor');
  const sender = new ChunkSender(call.outgoing);
  await exchange({
    descriptor: descriptorOf(reader),
    get schema() {
      return reader.schema;
    },
    chunks: reader.chunks(),
    begin: async (schema) => sender.sendSchema(schema),
    send: async ({ batch, appMetadata, onWritten }) => sender.send(batch, appMetadata, onWritten),
  });
}

function descriptorOf({ descriptor }: ChunkReader): FlightDescriptor {
  if (descriptor) return descriptor;
  throw new FlightError('invalid-argument', 'the first message of the upload or exchange has no descriptor');
}
