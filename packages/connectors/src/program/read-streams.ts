/** The command `read`: records of the configured streams, with a state after each part that need not be read again. */
import { openSource, type Source } from '@topo-bench/sources';
import type {
  AirbyteMessage,
  ConfiguredCatalog,
  ConfiguredStream,
  StreamDescriptor,
  StreamState,
} from '../protocol/messages.ts';
import { rowEncoder } from '../schema/json-value.ts';
import type { StoreConnector } from '../stores/store-connector.ts';
import { cursorOf, type StreamCursor } from './cursor.ts';
import { failureMessage } from './failure.ts';
import type { ProgramOutput } from './program-output.ts';

/** Rows of one request to the store. */
const batchRows = 2000;

/**
 * @param states of earlier reads
 * @throws the error of the first stream that fails, after its TRACE messages
 */
export async function readStreams<Config>(
  store: StoreConnector<Config>,
  config: Config,
  { streams }: ConfiguredCatalog,
  states: readonly StreamState[],
  output: ProgramOutput,
): Promise<void> {
  for (const stream of streams) {
    const descriptor = descriptorOf(stream);
    output.message(status(descriptor, 'STARTED'));
    try {
      await readStream(store, config, stream, states.find(isOf(descriptor)), output);
    } catch (error) {
      output.message(failureMessage(error, descriptor));
      output.message(status(descriptor, 'INCOMPLETE'));
      throw error;
    }
    output.message(status(descriptor, 'COMPLETE'));
  }
}

async function readStream<Config>(
  store: StoreConnector<Config>,
  config: Config,
  configured: ConfiguredStream,
  state: StreamState | undefined,
  output: ProgramOutput,
): Promise<void> {
  const stream = descriptorOf(configured);
  const field = cursorField(configured, stream, output);
  const cursor = field === undefined ? undefined : cursorOf(configured.stream.json_schema, field, state);
  const table = cursor && store.rangeOf ? store.rangeOf(config, stream, cursor.range) : store.tableOf(config, stream);
  const source = await openSource(table);
  try {
    const properties = Object.keys(configured.stream.json_schema.properties);
    const emit = { stream, properties, output, cursor, isOrdered: store.rangeOf !== undefined };
    output.message(stateOf(stream, await emitRecords(source, emit), cursor));
  } finally {
    await source.close();
  }
}

/** Undefined for a full refresh, which an incremental stream without a cursor is too. */
function cursorField(
  { sync_mode, cursor_field = [], stream }: ConfiguredStream,
  name: StreamDescriptor,
  output: ProgramOutput,
): string | undefined {
  if (sync_mode !== 'incremental') return undefined;
  const [field] = cursor_field.length > 0 ? cursor_field : (stream.default_cursor_field ?? []);
  if (field === undefined) {
    const message = `stream ${name.name} is incremental and has no cursor field: all of its records are read`;
    output.message({ type: 'LOG', log: { level: 'WARN', message } });
  }
  return field;
}

interface Emit {
  stream: StreamDescriptor;
  /** Names in the catalog. */
  properties: readonly string[];
  output: ProgramOutput;
  cursor: StreamCursor | undefined;
  /** Whether rows arrive in the order of the cursor. */
  isOrdered: boolean;
}

/** @returns the number of records since the last state */
async function emitRecords(source: Source, emit: Emit): Promise<number> {
  const { stream, properties, output, cursor, isOrdered } = emit;
  const encode = rowEncoder(source.schema.fields);
  const send = output.channel?.records(stream, source.schema.fields, properties);
  const start = `{"type":"RECORD","record":${JSON.stringify(stream).slice(1, -1).replace('"name":', '{"stream":')},"data":`;
  const follow = cursor?.follow(source.schema, isOrdered);
  let count = 0;
  let isFirst = true;
  for await (const rows of source.rows({ batchRows })) {
    if (isFirst) output.message(status(stream, 'RUNNING'));
    isFirst = false;
    const end = `,"emitted_at":${Date.now()}}}\n`;
    for (const row of rows) {
      if (follow) {
        const step = follow(row);
        if (step === 'skip') continue;
        if (step === 'checkpoint') {
          output.message(stateOf(stream, count, cursor));
          count = 0;
        }
      }
      if (send) send(row);
      else output.add(start + encode(row) + end);
      count++;
      if (output.isFull) await output.flush();
    }
  }
  cursor?.complete();
  return count;
}

function stateOf(stream: StreamDescriptor, recordCount: number, cursor: StreamCursor | undefined): AirbyteMessage {
  // The state of a full refresh marks it as finished; the name is that of Airbyte's own connectors.
  const stream_state = cursor?.state() ?? { __ab_full_refresh_sync_complete: true };
  const state: StreamState = {
    type: 'STREAM',
    stream: { stream_descriptor: stream, stream_state },
    sourceStats: { recordCount },
  };
  return { type: 'STATE', state };
}

function status(
  stream_descriptor: StreamDescriptor,
  status: 'STARTED' | 'RUNNING' | 'COMPLETE' | 'INCOMPLETE',
): AirbyteMessage {
  return {
    type: 'TRACE',
    trace: { type: 'STREAM_STATUS', emitted_at: Date.now(), stream_status: { stream_descriptor, status } },
  };
}

function descriptorOf({ stream: { name, namespace } }: ConfiguredStream): StreamDescriptor {
  return { name, ...(namespace !== undefined && namespace !== null && { namespace }) };
}

function isOf({ name, namespace }: StreamDescriptor): (state: StreamState) => boolean {
  return ({ stream: { stream_descriptor: of } }) => of.name === name && (of.namespace ?? undefined) === namespace;
}
