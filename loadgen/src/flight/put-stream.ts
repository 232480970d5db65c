/** DoPut: the rows of one stream, sent and acknowledged. The service drops them; that it got them all is what it says itself. */
import { FlightClient } from '@topo-bench/flight/client/flight-client';
import type { FlightWriter } from '@topo-bench/flight/client/flight-writer';
import type { SeededTable } from '@topo-bench/flight/http/seeded-table';
import type { RecordBatch } from 'apache-arrow';
import { type Credentials, logIn } from './flight-access.ts';
import type { StreamTally } from './stream-tally.ts';
import { TransferFailure, type TransferStream } from './transfer-stream.ts';

/** Metadata beside a batch asks for an acknowledgement. */
const please = Buffer.from('please');
const warmUpBytes = 16 * 1024 * 1024;

export interface PutStreamOptions {
  /** `grpc+tcp://…` */
  url: string;
  service: string;
  stream: number;
  streams: number;
  table: SeededTable;
  credentials: Credentials;
}

export class PutStream implements TransferStream {
  private readonly options: PutStreamOptions;
  private readonly client: FlightClient;

  constructor(options: PutStreamOptions) {
    this.options = options;
    this.client = new FlightClient(options.url, options.credentials);
  }

  async prepare(signal: AbortSignal): Promise<void> {
    await logIn(this.client, this.options.credentials, signal);
    await this.client.getSchema({ path: [this.options.service] }, { signal });
  }

  async warmUp(onRows: (rows: number) => void, isOver: () => boolean, signal: AbortSignal): Promise<void> {
    const writer = await this.open(signal);
    let sent = 0;
    for (const batch of this.batches()) {
      if (sent > warmUpBytes || isOver()) break;
      await writer.write(batch);
      sent += batch.data.byteLength;
      onRows(batch.numRows);
    }
    await writer.finish();
  }

  async move(tally: StreamTally, signal: AbortSignal): Promise<void> {
    const writer = await this.open(signal);
    const acknowledged = this.readAcknowledgements(writer, tally);
    // A failure of the call is told by both; one of them is enough.
    acknowledged.catch(() => undefined);
    let [rows, bytes] = [0, 0];
    for (const batch of this.batches()) {
      await writer.write(batch, rows === 0 ? please : undefined);
      rows += batch.numRows;
      bytes += batch.data.byteLength;
    }
    writer.end();
    tally.rows = await acknowledged;
    if (tally.rows !== rows) throw new TransferFailure('rows-missing', `${tally.rows} of ${rows} rows were acknowledged`);
    tally.bytes = bytes;
  }

  close(): Promise<void> {
    return this.client.close(0);
  }

  private open(signal: AbortSignal): Promise<FlightWriter> {
    const { service, table } = this.options;
    return this.client.doPut({ path: [service] }, table.schema, { signal });
  }

  private *batches(): Generator<RecordBatch, void, void> {
    const { table, stream, streams } = this.options;
    const [from, to] = table.batchesOf(stream, streams);
    for (let number = from; number < to; number++) yield table.batchAt(number);
  }

  /** @returns rows that the service says it took, at the end */
  private async readAcknowledgements(writer: FlightWriter, tally: StreamTally): Promise<number> {
    let taken = 0;
    for await (const message of writer.acknowledgements()) {
      tally.arrived();
      taken = takenRows(message);
    }
    return taken;
  }
}

/** @throws TransferFailure */
function takenRows(message: Uint8Array): number {
  const text = Buffer.from(message).toString('utf8');
  const taken = /"taken":(\d+)/.exec(text)?.[1];
  if (taken === undefined) throw new TransferFailure('acknowledgement', `the service acknowledged with ${text.slice(0, 80)}`);
  return Number(taken);
}
