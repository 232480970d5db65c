/** DoExchange: sends the rows of one stream and reads them back after the rules of the service. */
import { FlightClient, type FlightExchanger } from '@topo-bench/arrow-flight';
import type { SeededTable } from '@topo-bench/columns';
import type { RecordBatch } from 'apache-arrow';
import type { ExpectedTable } from './expected-table.ts';
import { type Credentials, logIn } from './flight-access.ts';
import type { StreamTally } from './stream-tally.ts';
import { TableCheck } from './table-check.ts';
import type { TransferStream } from './transfer-stream.ts';

const warmUpBytes = 16 * 1024 * 1024;

export interface ExchangeStreamOptions {
  /** `grpc+tcp://…` */
  url: string;
  service: string;
  stream: number;
  streams: number;
  table: SeededTable;
  expected: ExpectedTable;
  credentials: Credentials;
}

export class ExchangeStream implements TransferStream {
  readonly #options: ExchangeStreamOptions;
  readonly #client: FlightClient;

  constructor(options: ExchangeStreamOptions) {
    this.#options = options;
    this.#client = new FlightClient(options.url, { ...options.credentials, maxMessageBytes: 1024 ** 3 });
  }

  async prepare(signal: AbortSignal): Promise<void> {
    await logIn(this.#client, this.#options.credentials, signal);
    await this.#client.getSchema({ path: [this.#options.service] }, { signal });
  }

  async warmUp(onRows: (rows: number) => void, isOver: () => boolean, signal: AbortSignal): Promise<void> {
    let sent = 0;
    const isEnough = (batch: RecordBatch): boolean => {
      const isDone = sent > warmUpBytes || isOver();
      sent += batch.data.byteLength;
      return isDone;
    };
    await this.#exchange(signal, (batch) => onRows(batch.numRows), isEnough);
  }

  async move(tally: StreamTally, signal: AbortSignal): Promise<void> {
    const { expected, stream, streams } = this.#options;
    const check = new TableCheck(expected, stream, streams, tally);
    await this.#exchange(signal, (batch) => {
      tally.arrived();
      tally.rows += batch.numRows;
      tally.bytes += batch.data.byteLength;
      check.batch(batch);
    });
    check.end();
  }

  close(): Promise<void> {
    return this.#client.close(0);
  }

  /** @param isEnough whether to stop sending at this batch */
  async #exchange(
    signal: AbortSignal,
    onBatch: (batch: RecordBatch) => void,
    isEnough: (batch: RecordBatch) => boolean = () => false,
  ): Promise<void> {
    const exchange = await this.#client.doExchange({ path: [this.#options.service] }, { signal });
    const reading = readAll(exchange, onBatch);
    // Sending and reading both fail with the call; only the error of reading has the cause.
    const sending = this.#send(exchange, isEnough);
    sending.catch(() => undefined);
    await reading;
    await sending;
  }

  async #send(exchange: FlightExchanger, isEnough: (batch: RecordBatch) => boolean): Promise<void> {
    const { table, stream, streams } = this.#options;
    const [from, to] = table.batchesOf(stream, streams);
    await exchange.begin(table.schema);
    for (let number = from; number < to; number++) {
      const batch = table.batchAt(number);
      if (isEnough(batch)) break;
      await exchange.write(batch);
    }
    exchange.end();
  }
}

async function readAll(exchange: FlightExchanger, onBatch: (batch: RecordBatch) => void): Promise<void> {
  for await (const { batch } of exchange.chunks()) if (batch) onBatch(batch);
}
