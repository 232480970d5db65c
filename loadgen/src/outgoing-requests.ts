/** The requests of a job as sent, by index. Headers are common to all; the rest is a function of the index. */
import { enforcementHeader, headersOfFacts, TopoBenchError } from '@topo-bench/core';
import { requestGenerator, storeRequests } from '@topo-bench/workload';
import type { LoadJob } from './load-job.ts';
import type { HeaderFields } from './request-head.ts';

export interface OutgoingRequests {
  method: string;
  headers: HeaderFields;
  body(index: number): Buffer | undefined;
  /** Region of origin of a generated request. */
  origin?(index: number): string;
  /**
   * For requests that differ in method, path and headers: all of one request. `method`, `headers` and `body` are then
   * ignored.
   */
  varied?(index: number): { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined };
  /** Whether bodies of answers are kept. */
  keepResponses: boolean;
  /** A response header to store in front of the body, on a line of its own, where bodies are kept. */
  keptHeader?: string;
}

export function outgoingRequests(job: Pick<LoadJob, 'request' | 'seed' | 'repetition'>): OutgoingRequests {
  if (job.request.kind === 'plain') {
    const { method, headers, body } = job.request;
    const bytes = body === undefined ? undefined : Buffer.from(body);
    return { method, headers, body: () => bytes, keepResponses: false };
  }
  if (job.request.kind === 'store') {
    const { workload, headers, keepResponses } = job.request;
    const generate = storeRequests(workload, job.seed, job.repetition);
    return {
      method: 'GET',
      headers: [],
      body: () => undefined,
      varied: (index) => {
        const { method, path, body, facts } = generate(index);
        const type = body === undefined ? undefined : { 'content-type': 'application/json' };
        return {
          method,
          path,
          headers: { ...type, ...headers, ...headersOfFacts(facts) },
          body: body === undefined ? undefined : Buffer.from(body),
        };
      },
      keptHeader: enforcementHeader,
      keepResponses,
    };
  }
  if (job.request.kind === 'transfer')
    throw new TopoBenchError('TB_INTERNAL', 'bulk transfers have no outgoing requests');
  const generate = requestGenerator({ classes: job.request.classes, seed: job.seed, repetition: job.repetition });
  return {
    method: 'POST',
    headers: [['content-type', 'application/json']],
    body: (index) => Buffer.from(JSON.stringify(generate(index))),
    origin: (index) => generate(index).origin,
    keepResponses: true,
  };
}
