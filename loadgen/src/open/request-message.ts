/** A request as wire bytes, head and body in one piece. */
import { checkRequestHead, type HeaderFields, statesLength } from '../request-head.ts';

/**
 * @returns builds the message of a body; the head is built once
 * @throws TopoBenchError as `checkRequestHead`
 */
export function requestMessage(
  target: URL,
  method: string,
  headers: HeaderFields,
): (body: Buffer | undefined) => Buffer {
  checkRequestHead(method, headers);
  const hasHost = headers.some(([name]) => name.toLowerCase() === 'host');
  const head = [
    `${method} ${target.pathname}${target.search} HTTP/1.1`,
    ...(hasHost ? [] : [`host: ${target.host}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n');
  return (body) => {
    const length = body !== undefined || statesLength(method) ? `\r\ncontent-length: ${body?.length ?? 0}` : '';
    const start = Buffer.from(`${head}${length}\r\n\r\n`);
    return body ? Buffer.concat([start, body]) : start;
  };
}
