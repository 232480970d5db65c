/**
 * DoPut: sends the rows of one stream and awaits their acknowledgement. The service reports the rows that the rules let
 * it keep, then drops them.
 */
import { FlightClient, type FlightWriter } from '@topo-bench/arrow-flight';
import { KeptColumns, type KeptReport, type SeededTable } from '@topo-bench/columns';
import type { RecordBatch } from 'apache-arrow';
import type { ExpectedTable } from './expected-table.ts';
import { type Credentials, logIn } from './flight-access.ts';
import type { StreamTally } from './stream-tally.ts';
import { TransferFailure, type TransferStream } from './transfer-stream.ts';

/** Metadata of a batch that requests an acknowledgement. */
const please = Buffer.from('please');
const warmUpBytes = 16 * 1024 * 1024;

export interface PutStreamOptions {
  /** `grpc+tcp://…` */
  url: string;
  service: string;
  stream: number;
  streams: number;
  table: SeededTable;
  expected: ExpectedTable;
  digestKey: string;
  credentials: Credentials;
}

export class PutStream implements TransferStream {
  private readonly options: PutStreamOptions;
  private readonly client: FlightClient;
  private right: Omit<KeptReport, 'taken'> | undefined;

  constructor(options: PutStreamOptions) {
    this.options = options;
    this.client = new FlightClient(options.url, options.credentials);
  }

  async prepare(signal: AbortSignal): Promise<void> {
    await logIn(this.client, this.options.credentials, signal);
    this.right = this.rightReport();
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
    // Reader and writer both reject with the error of the call; the first is enough.
    acknowledged.catch(() => undefined);
    let [rows, bytes] = [0, 0];
    for (const batch of this.batches()) {
      await writer.write(batch, rows === 0 ? please : undefined);
      rows += batch.numRows;
      bytes += batch.data.byteLength;
    }
    writer.end();
    const { taken, ...kept } = await acknowledged;
    tally.rows = taken;
    if (taken !== rows) throw new TransferFailure('rows-missing', `${taken} of ${rows} rows were acknowledged`);
    tally.bytes = bytes;
    if (this.right) compareReports(kept, this.right, tally);
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

  /** @returns the final report of the service */
  private async readAcknowledgements(writer: FlightWriter, tally: StreamTally): Promise<KeptReport> {
    let last: Uint8Array = new Uint8Array(0);
    for await (const message of writer.acknowledgements()) {
      tally.arrived();
      last = message;
    }
    return readReport(last);
  }

  private rightReport(): Omit<KeptReport, 'taken'> {
    const { expected, stream, streams, digestKey } = this.options;
    const kept = new KeptColumns(expected.columnNames, digestKey);
    for (const { rows, columns } of expected.batches(stream, streams)) kept.add(rows, columns);
    return kept.report(0);
  }
}

/** @throws TransferFailure */
function readReport(message: Uint8Array): KeptReport {
  const text = Buffer.from(message).toString('utf8');
  try {
    const report = JSON.parse(text) as KeptReport;
    if (Number.isInteger(report.taken) && Number.isInteger(report.passed) && typeof report.digest === 'string')
      return report;
  } catch {
    // Not JSON: rejected below.
  }
  throw new TransferFailure(
    'acknowledgement',
    `malformed acknowledgement: got ${text.slice(0, 80)}, expected a report as JSON`,
  );
}

/** Compares the report with the expected result of the rules. */
function compareReports(given: Omit<KeptReport, 'taken'>, right: Omit<KeptReport, 'taken'>, tally: StreamTally): void {
  const difference = Math.abs(given.passed - right.passed);
  if (difference > 0) tally.recordWrong(`the service kept ${given.passed} rows, expected ${right.passed}`, difference);
  for (const [column, values] of Object.entries(right.values)) {
    const kept = given.values[column] ?? 0;
    tally.checked += values;
    if (kept === values) continue;
    tally.recordWrong(
      `the service kept ${kept} values of the column ${column}, expected ${values}`,
      Math.abs(kept - values),
    );
  }
  if (tally.wrong === 0 && given.digest !== right.digest) {
    tally.recordWrong('the service kept the expected number of values, but different ones');
  }
}
