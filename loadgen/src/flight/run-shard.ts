/**
 * The streams of one generator process. They connect and warm up before the common start, and each is counted on its
 * own.
 */
import { FlightError } from '@topo-bench/arrow-flight';
import { SeededTable, topoBenchErrorOf } from '@topo-bench/columns';
import { TopoBenchError } from '@topo-bench/core';
import { hostClock, sleepUntil } from '@topo-bench/host';
import { errorKindOf, errorNumber } from '../error-kind.ts';
import type { PreparedShard, Shard, ShardResult } from '../generator/messages.ts';
import { startUseMeter } from '../generator/use-meter.ts';
import type { LoadJob } from '../load-job.ts';
import { emptySamples } from '../samples.ts';
import { ExchangeStream } from './exchange-stream.ts';
import { ExpectedTable } from './expected-table.ts';
import { type Credentials, readCredentials } from './flight-access.ts';
import { GetStream } from './get-stream.ts';
import { HttpStream } from './http-stream.ts';
import { PutStream } from './put-stream.ts';
import { StreamTally } from './stream-tally.ts';
import type { StreamRecord, TransferRequest } from './transfer.ts';
import { TransferFailure, type TransferStream } from './transfer-stream.ts';
import { warmUpStreams } from './warm-up-streams.ts';

/**
 * @throws TopoBenchError `TB_LOAD_UNREACHABLE` when the service cannot be reached or refuses the transfer,
 *   `TB_LOAD_ACCESS`
 */
export async function prepareShard(job: LoadJob, { part, parts }: Shard): Promise<PreparedShard> {
  const { request, urls, durationUs } = job;
  if (request.kind !== 'transfer')
    throw new TopoBenchError('TB_INTERNAL', 'driver flight accepts only jobs of kind transfer');
  const url = urls[0] as string;
  const credentials = await readCredentials(request.access ?? {});
  const table = new SeededTable(request.table, request.service, request.tableSeed);
  // Generating rows and expected results is not part of the transfer.
  table.makeBatches();
  const expected = new ExpectedTable(table, request.treatment);
  expected.prepare();
  const numbers = Array.from({ length: request.streams }, (_, stream) => stream).filter(
    (stream) => stream % parts === part,
  );
  const streams = numbers.map((stream) => newStream(url, stream, request, { table, expected, credentials }));
  let warm: boolean;
  try {
    const bound = AbortSignal.timeout(durationUs / 1e3);
    await Promise.all(streams.map((stream) => stream.prepare(bound)));
    warm = await warmUpStreams(streams, request.warmup, bound);
  } catch (error) {
    await Promise.all(streams.map((stream) => stream.close()));
    const message = `cannot start the transfer with ${url}: ${(error as Error).message}`;
    const isRefused = error instanceof FlightError && error.status === 'unauthenticated';
    throw new TopoBenchError(isRefused ? 'TB_LOAD_ACCESS' : 'TB_LOAD_UNREACHABLE', message, {
      cause: topoBenchErrorOf(error),
    });
  }
  return {
    threads: [],
    run: (startAtUs, onDrained) => runStreams(streams, numbers, { startAtUs, durationUs, warm, onDrained }),
  };
}

function newStream(
  url: string,
  stream: number,
  request: TransferRequest,
  { table, expected, credentials }: { table: SeededTable; expected: ExpectedTable; credentials: Credentials },
): TransferStream {
  const { protocol, operation, streams, service, digestKey } = request;
  if (protocol !== 'flight') {
    const first = table.batchAt(0);
    const bytesPerRow = first.data.byteLength / Math.max(1, first.numRows);
    return new HttpStream({ url, form: protocol, bytesPerRow, expected, token: credentials.token });
  }
  if (operation === 'put')
    return new PutStream({ url, service, stream, streams, table, expected, digestKey, credentials });
  if (operation === 'exchange')
    return new ExchangeStream({ url, service, stream, streams, table, expected, credentials });
  return new GetStream({ url, stream, streams, table, expected, credentials });
}

async function runStreams(
  streams: readonly TransferStream[],
  numbers: readonly number[],
  {
    startAtUs,
    durationUs,
    warm,
    onDrained,
  }: { startAtUs: number; durationUs: number; warm: boolean; onDrained: () => void },
): Promise<ShardResult> {
  await sleepUntil(startAtUs);
  const measureUse = startUseMeter();
  const samples = emptySamples(streams.length);
  const nowUs = (): number => hostClock.nowUs() - startAtUs;
  const bound = AbortSignal.timeout(durationUs / 1e3);
  const records = await Promise.all(
    streams.map(async (stream, row): Promise<StreamRecord> => {
      const number = numbers[row] as number;
      samples.index[row] = number;
      samples.intendedUs[row] = samples.sentUs[row] = nowUs();
      const tally = new StreamTally();
      let error: StreamRecord['error'];
      try {
        await stream.move(tally, bound);
        samples.doneUs[row] = nowUs();
        samples.status[row] = 200;
      } catch (thrown) {
        error = { kind: bound.aborted ? 'timeout' : kindOf(thrown), message: (thrown as Error).message };
        samples.error[row] = errorNumber(bound.aborted ? 'timeout' : errorKindOf(thrown));
      }
      return tally.record(number, error);
    }),
  );
  const use = measureUse();
  onDrained();
  await Promise.all(streams.map((stream) => stream.close()));
  return { samples, bodies: undefined, inFlightMax: streams.length, use, transferred: { warm, streams: records } };
}

function kindOf(error: unknown): string {
  if (error instanceof TransferFailure) return error.kind;
  return error instanceof FlightError ? error.status : errorKindOf(error);
}
