/**
 * JSON lines of a connector as rows. Rows are complete only when the connector has reported its stream as complete and
 * the counts of its states add up.
 */
import type { Row } from '@topo-bench/sources';
import type { Schema } from 'apache-arrow';
import type { AirbyteMessage, StreamDescriptor } from '../protocol/messages.ts';
import { hasBytes, jsonParser, restoreValue } from '../schema/json-restore.ts';
import { StreamProgress } from './stream-progress.ts';

/**
 * @param chunks text in UTF-8, split anywhere
 * @throws FlightError `unavailable` with the message of the connector, `data-loss` for an incomplete stream
 */
export async function* rowsOfLines(
  chunks: AsyncIterable<string>,
  stream: StreamDescriptor,
  schema: Schema,
  batchRows: number,
): AsyncGenerator<readonly Row[], void, void> {
  const parse = jsonParser(schema.fields.map(({ type }) => type));
  const restore = rowRestorer(schema);
  const progress = new StreamProgress(stream);
  let rows: Row[] = [];
  let records = 0;
  for await (const line of linesOf(chunks)) {
    const message = parse(line) as AirbyteMessage;
    if (message.type !== 'RECORD') {
      progress.add(message);
      continue;
    }
    if (!progress.isOf({ name: message.record.stream, namespace: message.record.namespace })) continue;
    rows.push(restore(message.record.data));
    records++;
    if (rows.length < batchRows) continue;
    yield rows;
    rows = [];
  }
  progress.requireWhole(records);
  if (rows.length > 0) yield rows;
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function rowRestorer(schema: Schema): (row: Row) => Row {
  const columns = schema.fields.filter(({ type }) => hasBytes(type));
  if (columns.length === 0) return (row) => row;
  return (row) => {
    const restored: Record<string, unknown> = { ...row };
    for (const { name, type } of columns) restored[name] = restoreValue(type, row[name]);
    return restored;
  };
}
