/** What goes over the wire for each index of a job: headers are the same for all, the rest is a function of the index. */
import { enforcementHeader, factHeaders, TopoBenchError } from '@topo-bench/core';
import { requestGenerator } from '@topo-bench/workload/requests';
import { storeRequests } from '@topo-bench/workload/store-requests';
import type { LoadJob } from './load-job.ts';

export interface OutgoingRequests {
  method: string;
  headers: Record<string, string>;
  body(index: number): Buffer | undefined;
  /** Where method, path and headers differ from request to request: all of one; `method`, `headers` and `body` then do not count. */
  varied?(index: number): { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined };
  /** Whether answers are worth keeping. */
  keepResponses: boolean;
  /** A header whose value is kept in front of the body, on a line of its own, where answers are kept. */
  keptHeader?: string;
}

export function outgoingRequests(job: Pick<LoadJob, 'request' | 'seed' | 'repetition'>): OutgoingRequests {
  if (job.request.kind === 'plain') {
    const { method, headers, body } = job.request;
    const bytes = body === undefined ? undefined : Buffer.from(body);
    return { method, headers: { ...headers }, body: () => bytes, keepResponses: false };
  }
  if (job.request.kind === 'store') {
    const { workload, headers, keepResponses } = job.request;
    const generate = storeRequests(workload, job.seed, job.repetition);
    return {
      method: 'GET',
      headers: {},
      body: () => undefined,
      varied: (index) => {
        const { method, path, body, facts } = generate(index);
        const { class: name, origin, purpose, consents } = facts;
        const stated = {
          [factHeaders.class]: name,
          [factHeaders.origin]: origin,
          [factHeaders.purpose]: purpose,
          ...(consents.length > 0 && { [factHeaders.consents]: consents.join(',') }),
        };
        const type = body === undefined ? undefined : { 'content-type': 'application/json' };
        return {
          method,
          path,
          headers: { ...type, ...headers, ...stated },
          body: body === undefined ? undefined : Buffer.from(body),
        };
      },
      keptHeader: enforcementHeader,
      keepResponses,
    };
  }
  if (job.request.kind === 'transfer') throw new TopoBenchError('TB_INTERNAL', 'a bulk transfer is no sequence of requests');
  const generate = requestGenerator({ classes: job.request.classes, seed: job.seed, repetition: job.repetition });
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: (index) => Buffer.from(JSON.stringify(generate(index))),
    keepResponses: true,
  };
}
