/** Reading of JSON bodies: one check of the headers and one parser for all frameworks, so that all refuse alike. */
import type { IncomingHttpHeaders } from 'node:http';
import { monotonicClock } from '@topo-bench/core/clock';
import { type HttpProblem, problems } from './http-problem.ts';

/** A body and the moment at which it was fully parsed: t0 and t1 of a round trip are such moments. */
export interface ParsedBody {
  value: unknown;
  parsedAtUs: number;
}

/** @throws HttpProblem 400 */
export function parseBody(text: string): ParsedBody {
  try {
    return { value: JSON.parse(text), parsedAtUs: monotonicClock.nowUs() };
  } catch (error) {
    throw problems.brokenJson((error as Error).message);
  }
}

const jsonInUtf8 = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** Why a body with these headers is not read; undefined when it may be. */
export function refuseBody(headers: IncomingHttpHeaders, limitBytes: number): HttpProblem | undefined {
  const type = headers['content-type'];
  if (type !== 'application/json' && !jsonInUtf8.test(type ?? '')) return problems.notJson;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return problems.notJson;
  if (Number(headers['content-length'] ?? 0) > limitBytes) return problems.tooLarge(limitBytes);
  return undefined;
}
