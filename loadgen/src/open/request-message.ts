/** A request as wire bytes, head and body in one piece. */
import { METHODS, validateHeaderName, validateHeaderValue } from 'node:http';
import { TopoBenchError } from '@topo-bench/core';

/** @returns builds the message of a body; the head is built once */
export function requestMessage(
  target: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
): (body: Buffer | undefined) => Buffer {
  checkHead(method, headers);
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const fields = Object.entries(headers);
  if (!given.has('host')) fields.unshift(['host', target.host]);
  const head = [
    `${method} ${target.pathname}${target.search} HTTP/1.1`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n');
  return (body) => {
    // RFC 9110, section 8.6: a POST without a body has `content-length: 0`, a GET without one has none.
    const mayHaveBody = body !== undefined || method === 'POST' || method === 'PUT' || method === 'PATCH';
    const length = mayHaveBody && !given.has('content-length') ? `\r\ncontent-length: ${body?.length ?? 0}` : '';
    const start = Buffer.from(`${head}${length}\r\n\r\n`, 'latin1');
    return body ? Buffer.concat([start, body]) : start;
  };
}

function checkHead(method: string, headers: Readonly<Record<string, string>>): void {
  if (!METHODS.includes(method))
    throw new TopoBenchError('TB_USAGE', `${JSON.stringify(method)} is not an HTTP method`);
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      throw new TopoBenchError('TB_USAGE', `header ${JSON.stringify(name)}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}
