/** What goes over the wire for each index of a job: method and headers are the same for all, the body is a function of the index. */
import { requestGenerator } from '@topo-bench/workload/requests';
import type { LoadJob } from './load-job.ts';

export interface OutgoingRequests {
  method: string;
  headers: Record<string, string>;
  body(index: number): Buffer | undefined;
  /** Whether answers are worth keeping. */
  keepResponses: boolean;
}

export function outgoingRequests(job: Pick<LoadJob, 'request' | 'seed' | 'repetition'>): OutgoingRequests {
  if (job.request.kind === 'plain') {
    const { method, headers, body } = job.request;
    const bytes = body === undefined ? undefined : Buffer.from(body);
    return { method, headers: { ...headers }, body: () => bytes, keepResponses: false };
  }
  const generate = requestGenerator({ classes: job.request.classes, seed: job.seed, repetition: job.repetition });
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: (index) => Buffer.from(JSON.stringify(generate(index))),
    keepResponses: true,
  };
}
