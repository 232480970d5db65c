/**
 * Reads the facts of an item call from its headers. A missing fact gets no default: a default could let the call past a
 * rule.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { factHeaders, type RequestFacts } from '@topo-bench/core';
import { HttpProblem } from '../http/http-problem.ts';

export type CallFacts = Pick<RequestFacts, 'class' | 'origin' | 'purpose' | 'consents'>;

const required = ['class', 'origin', 'purpose'] as const;

/** @throws HttpProblem 400 with every header that is missing, or is not UTF-8 */
export function readCallFacts(headers: IncomingHttpHeaders): CallFacts {
  // Node.js reads headers as Latin-1.
  const bytes = (name: string): Buffer => Buffer.from(String(headers[name] ?? ''), 'latin1');
  const text = (name: string): string => bytes(name).toString().trim();
  const garbled = Object.values(factHeaders).filter((name) => !isUtf8(bytes(name)));
  if (garbled.length > 0) {
    const found = garbled.map((name) => `${name}: is not UTF-8`);
    throw new HttpProblem(400, 'invalid-facts', 'facts that cannot be read', found);
  }
  const missing = required.map((fact) => factHeaders[fact]).filter((name) => text(name) === '');
  if (missing.length > 0) {
    const message = 'missing facts: the rules need them to decide the call';
    throw new HttpProblem(
      400,
      'missing-facts',
      message,
      missing.map((name) => `${name}: is missing`),
    );
  }
  const consents = text(factHeaders.consents).split(',');
  return {
    class: text(factHeaders.class),
    origin: text(factHeaders.origin),
    purpose: text(factHeaders.purpose),
    consents: consents.map((consent) => consent.trim()).filter((consent) => consent !== ''),
  };
}
