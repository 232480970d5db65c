/** What goes over the wire for each index of a job: method and headers are the same for all, bodies are built before the load. */
import { requestGenerator } from '@topo-bench/workload/requests';
import type { LoadJob } from './load-job.ts';

/** Bodies that one generator process builds ahead; beyond, they are built when sent (large payloads at a high rate). */
const prebuiltBytes = 256 * 1024 * 1024;

export interface OutgoingRequests {
  method: string;
  headers: Record<string, string>;
  body(index: number): Buffer | undefined;
  /** Whether answers are worth keeping. */
  keepResponses: boolean;
}

/** @param indexes those to build ahead, in order of sending */
export function outgoingRequests(
  job: Pick<LoadJob, 'request' | 'seed' | 'repetition'>,
  indexes: ArrayLike<number> = [],
): OutgoingRequests {
  if (job.request.kind === 'plain') {
    const { method, headers, body } = job.request;
    const bytes = body === undefined ? undefined : Buffer.from(body);
    return { method, headers: { ...headers }, body: () => bytes, keepResponses: false };
  }
  const generate = requestGenerator({ classes: job.request.classes, seed: job.seed, repetition: job.repetition });
  const build = (index: number): Buffer => Buffer.from(JSON.stringify(generate(index)));
  const prebuilt = new Map<number, Buffer>();
  let bytes = 0;
  for (let i = 0; i < indexes.length && bytes < prebuiltBytes; i++) {
    const index = indexes[i] as number;
    const body = build(index);
    prebuilt.set(index, body);
    bytes += body.length;
  }
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: (index) => prebuilt.get(index) ?? build(index),
    keepResponses: true,
  };
}
