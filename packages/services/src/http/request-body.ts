/** JSON body parsing shared by all frameworks: one header check and one parser, so that all refuse the same bodies. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { monotonicClock } from '@topo-bench/core';
import { type HttpProblem, problems } from './http-problem.ts';

/** A body and the time at which it was parsed. t0 and t1 of a round trip are such times. */
export interface ParsedBody {
  value: unknown;
  parsedAtUs: number;
}

/**
 * Takes bytes: decoders of the frameworks replace what is not UTF-8, so that rules would see another text, and Express
 * drops a byte order mark.
 * @throws HttpProblem 400
 */
export function parseBody(body: Buffer): ParsedBody {
  if (!isUtf8(body)) throw problems.brokenJson('it is not UTF-8');
  try {
    return { value: JSON.parse(body.toString()), parsedAtUs: monotonicClock.nowUs() };
  } catch (error) {
    throw problems.brokenJson((error as Error).message);
  }
}

const jsonInUtf8 = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** Returns the problem of a body that must not be read, by its headers. */
export function refuseBody(headers: IncomingHttpHeaders, limitBytes: number): HttpProblem | undefined {
  const type = headers['content-type'];
  if (type !== 'application/json' && !jsonInUtf8.test(type ?? '')) return problems.notJson;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return problems.notJson;
  if (Number(headers['content-length'] ?? 0) > limitBytes) return problems.tooLarge(limitBytes);
  return undefined;
}
