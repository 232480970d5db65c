/** Method and header fields of a request: what a caller may set, and what the driver sets itself. */
import { METHODS, validateHeaderName } from 'node:http';
import { TopoBenchError } from '@topo-bench/core';

/** In the order in which they are sent; a name may occur several times. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

/** Headers of the message and of the connection, with the reason why a caller cannot set them. */
const ownHeaders: Readonly<Record<string, string>> = {
  'content-length': 'the driver states the length of the body',
  'transfer-encoding': 'the driver sends the body as it is, with its length',
  trailer: 'the driver sends no trailer',
  te: 'the driver accepts chunks alone',
  connection: 'the driver manages its connections',
  'keep-alive': 'the driver manages its connections',
  'proxy-connection': 'the driver manages its connections',
  upgrade: 'the driver speaks HTTP/1.1 alone',
  expect: 'the driver sends head and body in one piece',
};

/**
 * Values can be secrets: errors do not show them.
 * @throws TopoBenchError `TB_USAGE`
 */
export function checkRequestHead(method: string, fields: HeaderFields): void {
  if (!METHODS.includes(method))
    throw new TopoBenchError('TB_USAGE', `${JSON.stringify(method)} is not an HTTP method`);
  if (method === 'CONNECT')
    throw new TopoBenchError('TB_USAGE', 'method: got CONNECT, which opens a tunnel, expected one with a response');
  for (const [name, value] of fields) {
    const reason = ownHeaders[name.toLowerCase()];
    if (reason !== undefined)
      throw new TopoBenchError('TB_USAGE', `header ${name}: got a value, but ${reason}`, { hint: 'leave it out' });
    try {
      validateHeaderName(name);
    } catch (cause) {
      throw new TopoBenchError('TB_USAGE', `header ${JSON.stringify(name)}: expected a name of letters and digits`, {
        cause,
      });
    }
    if ([...value].some(isControl))
      throw new TopoBenchError('TB_USAGE', `header ${name}: got a control character, expected one line of text`);
  }
  if (fields.filter(([name]) => name.toLowerCase() === 'host').length > 1)
    throw new TopoBenchError('TB_USAGE', 'header host: got it twice, expected it once', { hint: 'leave one out' });
}

function isControl(character: string): boolean {
  return (character < ' ' && character !== '\t') || character === '\x7f';
}

/** RFC 9110, section 8.6: a POST without a body has `content-length: 0`, a GET without one has none. */
export function statesLength(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}
