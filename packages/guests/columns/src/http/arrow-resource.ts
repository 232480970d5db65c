/** The resource `/arrow`: one table as Arrow IPC, JSON or NDJSON, by content negotiation. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrowStreamType, loadCodec, writeStream } from '@topo-bench/arrow-flight/ipc';
import { TopoBenchError } from '@topo-bench/core';
import type { RecordBatch, Schema } from 'apache-arrow';
import { jsonRows } from './json-rows.ts';
import { jsonType, ndjsonType, negotiate, type Representation } from './negotiate.ts';
import { sendStream } from './send-stream.ts';

/** A table that can be streamed. */
export interface ArrowSource {
  schema: Schema;
  /**
   * Batches, read with back-pressure from the client.
   * @param signal aborted when the client disconnects
   */
  batches(signal: AbortSignal): AsyncIterable<RecordBatch> | Iterable<RecordBatch>;
}

/**
 * Opens the governed table of a caller.
 * @param query of the request's URL
 * @throws TopoBenchError `TB_ARROW_DENIED` when the rules refuse the whole stream: 403
 */
export type OpenSource = (query: URLSearchParams) => ArrowSource;

/**
 * Answers one GET request.
 * @throws any error of the source after the answer has begun; the connection is then closed
 */
export async function answerArrow(request: IncomingMessage, response: ServerResponse, open: OpenSource): Promise<void> {
  const representation = negotiate(request.headers.accept);
  if (!representation) {
    const message = `not acceptable: expected ${arrowStreamType}, ${jsonType} or ${ndjsonType}`;
    refuse(response, 406, 'not-acceptable', message);
    return;
  }
  let source: ArrowSource;
  try {
    source = open(new URL(request.url ?? '/', 'http://localhost').searchParams);
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_ARROW_DENIED') throw error;
    refuse(response, 403, 'denied', error.message);
    return;
  }
  const codec = representation.compression && (await loadCodec(representation.compression));
  response.writeHead(200, {
    'content-type': contentType(representation),
    vary: 'accept',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  await sendStream(response, (signal) => {
    const batches = source.batches(signal);
    if (representation.type === arrowStreamType) return writeStream(source.schema, batches, codec);
    return jsonRows(batches, representation.type === jsonType ? 'array' : 'lines');
  });
}

function contentType({ type, compression }: Representation): string {
  if (type !== arrowStreamType) return `${type}; charset=utf-8`;
  return compression ? `${type}; codecs="${compression}"` : type;
}

function refuse(response: ServerResponse, status: number, error: string, message: string): void {
  const json = JSON.stringify({ error, message });
  response.writeHead(status, {
    'content-type': `${jsonType}; charset=utf-8`,
    'content-length': Buffer.byteLength(json),
    vary: 'accept',
  });
  response.end(json);
}
