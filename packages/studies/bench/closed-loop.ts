/**
 * The load of `bench:stores` in a process of its own: clients that each wait for their answer, on connections that
 * write requests built before the clock starts, so that as little as possible of the shared processors goes into
 * asking.
 */
import { HttpConnection } from '@topo-bench/loadgen/open/http-connection';
import { requestMessage } from '@topo-bench/loadgen/open/request-message';
import { type StoreWorkload, storeRequests } from '@topo-bench/workload';
import { type Done, Prepared } from './prepared.ts';

export interface LoopJob {
  url: string;
  /** Number of clients. */
  token: string;
  workload: StoreWorkload;
  repetition: number;
  concurrency: number;
  seconds: number;
  /** Requests to have ready. */
  prepared: number;
}

interface Request {
  method: string;
  message: Buffer;
}

process.on('message', async (job: LoopJob) => process.send?.(await run(job)));
process.on('disconnect', () => process.exit());

async function run({ url, token, workload, repetition, concurrency, seconds, ...job }: LoopJob): Promise<Done> {
  const generate = storeRequests(workload, 1, repetition);
  const made = Array.from({ length: job.prepared }, (_, index): Request => {
    const { method, path, body } = generate(index);
    const message = requestMessage(new URL(path, url), method, [
      ['content-type', 'application/json'],
      ['x-topo-token', token],
    ]);
    return { method, message: message(body === undefined ? undefined : Buffer.from(body)) };
  });
  const prepared = new Prepared(made, workload);
  const connections = Array.from({ length: concurrency }, () => new HttpConnection(new URL(url)));
  await Promise.all(connections.map((connection) => connection.opened()));
  const startMs = performance.now();
  const endMs = startMs + seconds * 1e3;
  let done = 0;
  const client = async (connection: HttpConnection): Promise<void> => {
    while (performance.now() < endMs) {
      const status = await answered(connection, prepared.take());
      if (status >= 300) throw new Error(`the service answered ${status}`);
      done++;
    }
  };
  await Promise.all(connections.map(client));
  const result = { done, seconds: (performance.now() - startMs) / 1e3 };
  for (const connection of connections) connection.destroy();
  return result;
}

/** @returns the status */
function answered(connection: HttpConnection, { method, message }: Request): Promise<number> {
  return new Promise((resolve, reject) =>
    connection.send(method, message, { onResponse: ({ status }) => resolve(status), onError: reject }),
  );
}
