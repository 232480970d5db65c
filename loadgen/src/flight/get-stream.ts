/** DoGet: reads one endpoint of the flight to its end. */
import { FlightClient } from '@topo-bench/arrow-flight';
import type { SeededTable } from '@topo-bench/columns';
import type { ExpectedTable } from './expected-table.ts';
import { type Credentials, logIn } from './flight-access.ts';
import type { StreamTally } from './stream-tally.ts';
import { TableCheck } from './table-check.ts';
import { TransferFailure, type TransferStream } from './transfer-stream.ts';

/** Max number of endpoints of a flight: the smallest part that the warm-up can request. */
const maxParts = 1024;

export interface GetStreamOptions {
  /** `grpc+tcp://…` */
  url: string;
  stream: number;
  streams: number;
  table: SeededTable;
  expected: ExpectedTable;
  credentials: Credentials;
}

export class GetStream implements TransferStream {
  private readonly options: GetStreamOptions;
  private readonly client: FlightClient;
  private tickets: { own: Uint8Array; warmUp: Uint8Array[] } = { own: new Uint8Array(0), warmUp: [] };

  constructor(options: GetStreamOptions) {
    this.options = options;
    this.client = new FlightClient(options.url, { ...options.credentials, maxMessageBytes: 1024 ** 3 });
  }

  async prepare(signal: AbortSignal): Promise<void> {
    const { stream, streams, table, credentials } = this.options;
    await logIn(this.client, credentials, signal);
    const [, batches] = table.batchesOf(0, 1);
    const own = (await this.ticketsOf(streams, signal))[stream] as Uint8Array;
    const warmUp = await this.ticketsOf(Math.max(1, Math.min(maxParts, batches)), signal);
    // Streams start at different endpoints.
    this.tickets = { own, warmUp: warmUp.map((_, i) => warmUp[(i + stream) % warmUp.length] as Uint8Array) };
  }

  async warmUp(onRows: (rows: number) => void, _isOver: () => boolean, signal: AbortSignal): Promise<void> {
    const ticket = this.tickets.warmUp.shift() as Uint8Array;
    this.tickets.warmUp.push(ticket);
    const reader = await this.client.doGet(ticket, { signal });
    for await (const { batch } of reader.borrowedChunks()) onRows(batch?.numRows ?? 0);
  }

  async move(tally: StreamTally, signal: AbortSignal): Promise<void> {
    const { stream, streams, expected } = this.options;
    const check = new TableCheck(expected, stream, streams, tally);
    const reader = await this.client.doGet(this.tickets.own, { signal });
    for await (const { batch } of reader.borrowedChunks()) {
      if (!batch) continue;
      tally.arrived();
      tally.rows += batch.numRows;
      tally.bytes += batch.data.byteLength;
      check.batch(batch);
    }
    check.end();
  }

  close(): Promise<void> {
    return this.client.close(0);
  }

  private async ticketsOf(endpoints: number, signal: AbortSignal): Promise<Uint8Array[]> {
    const info = await this.client.getFlightInfo({ command: Buffer.from(JSON.stringify({ endpoints })) }, { signal });
    if (info.endpoints.length === endpoints) return info.endpoints.map(({ ticket }) => ticket);
    throw new TransferFailure(
      'endpoints',
      `wrong number of endpoints: got ${info.endpoints.length}, expected ${endpoints}`,
    );
  }
}
