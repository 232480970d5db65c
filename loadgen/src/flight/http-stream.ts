/**
 * `GET /arrow` of the same table as an Arrow IPC stream, NDJSON or JSON. Each is read as typical clients do: into
 * columns or into objects.
 */
import { Agent, get, type IncomingMessage } from 'node:http';
import { loadCodecs, readStream } from '@topo-bench/arrow-flight/ipc';
import { headers as headerNames } from '@topo-bench/core';
import { httpErrorKind } from '../error-kind.ts';
import type { ExpectedTable } from './expected-table.ts';
import type { StreamTally } from './stream-tally.ts';
import { TableCheck } from './table-check.ts';
import { TransferFailure, type TransferStream } from './transfer-stream.ts';

const accepted = {
  arrow: 'application/vnd.apache.arrow.stream',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};
export type HttpForm = keyof typeof accepted;

export interface HttpStreamOptions {
  /** `http://…/arrow` */
  url: string;
  form: HttpForm;
  /** Columns of a row, for their sizes: JSON has no column types. */
  bytesPerRow: number;
  expected: ExpectedTable;
  /** Token of clients, if the service requires one. */
  token?: string | undefined;
}

export class HttpStream implements TransferStream {
  private readonly options: HttpStreamOptions;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(options: HttpStreamOptions) {
    this.options = options;
  }

  async prepare(): Promise<void> {}

  async warmUp(onRows: (rows: number) => void, _isOver: () => boolean, signal: AbortSignal): Promise<void> {
    await this.read(await this.open(signal), { onRows });
  }

  async move(tally: StreamTally, signal: AbortSignal): Promise<void> {
    tally.wireBytes = 0;
    await this.read(await this.open(signal), { tally });
  }

  async close(): Promise<void> {
    this.agent.destroy();
  }

  private open(signal: AbortSignal): Promise<IncomingMessage> {
    const { url, form, token } = this.options;
    const headers = { accept: accepted[form], ...(token !== undefined && { [headerNames.token]: token }) };
    return new Promise((resolve, reject) => {
      const request = get(url, { agent: this.agent, headers, signal }, (response) => {
        const { statusCode } = response;
        if (statusCode === 200) return resolve(response);
        response.resume();
        reject(
          new TransferFailure(
            httpErrorKind(statusCode ?? 0),
            `GET ${new URL(url).pathname} failed: got status ${statusCode}, expected 200`,
          ),
        );
      });
      request.once('error', reject);
    });
  }

  private async read(
    response: IncomingMessage,
    { tally, onRows }: { tally?: StreamTally; onRows?: (rows: number) => void },
  ) {
    const { form, bytesPerRow, expected } = this.options;
    // Every stream reads the whole table.
    const check = tally && new TableCheck(expected, 0, 1, tally);
    const source = counted(response, tally);
    if (form === 'arrow') {
      for await (const batch of readStream(source, { codecs: await loadCodecs() })) {
        onRows?.(batch.numRows);
        if (!tally) continue;
        tally.arrived();
        tally.rows += batch.numRows;
        tally.bytes += batch.data.byteLength;
        check?.batch(batch);
      }
      check?.end();
      return;
    }
    for await (const rows of form === 'ndjson' ? linesOf(source) : arrayOf(source)) {
      onRows?.(rows.length);
      if (!tally) continue;
      tally.arrived();
      check?.rows(rows);
      tally.rows += rows.length;
      tally.bytes += rows.length * bytesPerRow;
    }
    check?.end();
  }
}

async function* counted(
  response: IncomingMessage,
  tally: StreamTally | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of response) {
    if (tally) tally.wireBytes = (tally.wireBytes ?? 0) + (chunk as Buffer).length;
    yield chunk as Buffer;
  }
}

/** Objects of NDJSON, as soon as their lines are complete. */
async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<unknown[], void, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of source) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() as string;
    if (lines.length > 0) yield lines.map((line) => JSON.parse(line) as unknown);
  }
  if (rest !== '') throw new TransferFailure('cut-off', 'the last line is incomplete');
}

/** The objects of a JSON array, all at once: the view of a client without a streaming parser. */
async function* arrayOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<unknown[], void, void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  yield JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown[];
}
