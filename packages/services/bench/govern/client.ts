/**
 * The client of the bench of governance: reads the stream of a case to its end, to batches over Flight and to bytes
 * over HTTP.
 */
import { get } from 'node:http';
import { FlightClient } from '@topo-bench/arrow-flight';

export interface ReadOrder {
  protocol: 'flight' | 'http';
  /** `grpc+tcp://…` or `http://…/arrow` */
  address: string;
  /** Number of the case. */
  number: number;
}

export interface ReadResult {
  ms: number;
  /** Bytes of columns over Flight, of the body over HTTP. */
  bytes: number;
  /** Received over Flight; undefined over HTTP, where nothing is decoded. */
  rows?: number;
  cpu: NodeJS.CpuUsage;
}

let client: FlightClient | undefined;

type Received = Pick<ReadResult, 'bytes' | 'rows'>;

async function overFlight(address: string, number: number): Promise<Received> {
  client ??= new FlightClient(address, { maxMessageBytes: 2 ** 28 });
  let [bytes, rows] = [0, 0];
  const reader = await client.doGet(Buffer.from(String(number)));
  for await (const { batch } of reader.borrowedChunks()) {
    bytes += batch?.data.byteLength ?? 0;
    rows += batch?.numRows ?? 0;
  }
  return { bytes, rows };
}

function overHttp(address: string, number: number): Promise<Received> {
  return new Promise((resolve, reject) => {
    get(`${address}?case=${number}`, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once('end', () => resolve({ bytes })).once('error', reject);
    }).once('error', reject);
  });
}

process.on('message', async ({ protocol, address, number }: ReadOrder) => {
  const before = process.cpuUsage();
  const started = performance.now();
  const received = await (protocol === 'flight' ? overFlight : overHttp)(address, number);
  const result: ReadResult = { ms: performance.now() - started, ...received, cpu: process.cpuUsage(before) };
  process.send?.(result);
});
process.on('disconnect', () => process.exit());
