/** The command `read`: records of the configured streams, with a state after each part that need not be read again. */
import { openSource, type ReadRowsOptions, type Source } from '@topo-bench/sources';
import type {
  AirbyteMessage,
  ConfiguredCatalog,
  ConfiguredStream,
  StreamDescriptor,
  StreamState,
} from '../protocol/messages.ts';
import { rowEncoder } from '../schema/json-value.ts';
import type { StoreConnector } from '../stores/store-connector.ts';
import { bytesRead } from './bytes-read.ts';
import { cursorOf, type StreamCursor } from './cursor.ts';
import { failureMessage } from './failure.ts';
import type { ProgramOutput } from './program-output.ts';

/** Rows of one request to the store. */
const batchRows = 2000;

export interface ReadOptions {
  /** States of earlier reads. */
  states: readonly StreamState[];
  /** Ends the full refresh of a stream after this number of rows. */
  limitRows?: number;
}

export interface ReadFigures {
  /** Bytes of the store, from its first row on; absent where the system does not count them. */
  storeBytes?: number;
}

/** @throws the error of the first stream that fails, after its TRACE messages */
export async function readStreams<Config>(
  store: StoreConnector<Config>,
  config: Config,
  { streams }: ConfiguredCatalog,
  { states, limitRows }: ReadOptions,
  output: ProgramOutput,
): Promise<ReadFigures> {
  const bytes: (number | undefined)[] = [];
  for (const stream of streams) {
    const descriptor = descriptorOf(stream);
    output.message(status(descriptor, 'STARTED'));
    try {
      bytes.push(await readStream(store, config, stream, { state: states.find(isOf(descriptor)), limitRows }, output));
    } catch (error) {
      output.message(failureMessage(error, descriptor));
      output.message(status(descriptor, 'INCOMPLETE'));
      throw error;
    }
    output.message(status(descriptor, 'COMPLETE'));
  }
  const known = bytes.filter((one) => one !== undefined);
  return known.length < bytes.length ? {} : { storeBytes: known.reduce((sum, one) => sum + one, 0) };
}

/** @returns bytes that the read took from the store */
async function readStream<Config>(
  store: StoreConnector<Config>,
  config: Config,
  configured: ConfiguredStream,
  { state, limitRows }: { state: StreamState | undefined; limitRows: number | undefined },
  output: ProgramOutput,
): Promise<number | undefined> {
  const stream = descriptorOf(configured);
  const field = cursorField(configured, stream, output);
  const cursor = field === undefined ? undefined : cursorOf(configured.stream.json_schema, field, state);
  const table = cursor && store.rangeOf ? store.rangeOf(config, stream, cursor.range) : store.tableOf(config, stream);
  const source = await openSource(table);
  try {
    // The state of an incremental read would cover rows beyond a limit.
    const limit = cursor || limitRows === undefined ? {} : { limitRows };
    const emit = { stream, output, cursor, limit, isOrdered: store.rangeOf !== undefined };
    const count = bytesRead();
    output.message(stateOf(stream, await emitRecords(source, emit), cursor));
    return count();
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
  output: ProgramOutput;
  cursor: StreamCursor | undefined;
  limit: Pick<ReadRowsOptions, 'limitRows'>;
  /** Whether rows arrive in the order of the cursor. */
  isOrdered: boolean;
}

/** @returns the number of records since the last state */
async function emitRecords(source: Source, emit: Emit): Promise<number> {
  const { stream, output, cursor, limit, isOrdered } = emit;
  const encode = rowEncoder(source.schema.fields);
  const start = `{"type":"RECORD","record":${JSON.stringify(stream).slice(1, -1).replace('"name":', '{"stream":')},"data":`;
  const follow = cursor?.follow(source.schema, isOrdered);
  let count = 0;
  let isFirst = true;
  for await (const rows of source.rows({ batchRows, ...limit })) {
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
      output.add(start + encode(row) + end);
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
