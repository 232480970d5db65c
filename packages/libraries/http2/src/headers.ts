/** Header lists as records, and what makes a list malformed (RFC 9113, section 8). */
import type { HeaderField } from './hpack/field.ts';
import { errorCodes, StreamFault } from './protocol.ts';

/** Names in lower case; values of repeated names joined by commas. Text is Latin-1, one character per byte. */
export type Headers = Readonly<Record<string, string>>;

export type HeaderKind = 'request' | 'answer' | 'trailers';

const requestPseudo = [':method', ':scheme', ':path', ':authority'];
const pseudoOf: Readonly<Record<HeaderKind, readonly string[]>> = {
  request: requestPseudo,
  answer: [':status'],
  trailers: [],
};
const neededOf: Readonly<Record<HeaderKind, readonly string[]>> = {
  request: [':method', ':scheme', ':path'],
  answer: [':status'],
  trailers: [],
};
/** Connection headers of HTTP/1 (section 8.2.2). */
const forbidden = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);
const properName = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/** Control characters, characters outside Latin-1, and leading or trailing spaces. */
const improperValue = /[^\t\x20-\x7e\x80-\xff]|^[ \t]|[ \t]$/;

/** @throws StreamFault when the list is malformed */
export function readHeaders(fields: readonly HeaderField[], kind: HeaderKind, streamId: number): Headers {
  const malformed = (finding: string): StreamFault => new StreamFault(streamId, errorCodes.protocolError, finding);
  const headers: Record<string, string> = Object.create(null);
  let isPastPseudo = false;
  for (const [name, value] of fields) {
    if (!properName.test(name)) throw malformed(`a header is named ${JSON.stringify(name)}`);
    if (improperValue.test(value)) throw malformed(`the header ${name} has a value that headers cannot have`);
    if (name.startsWith(':')) {
      if (isPastPseudo || !pseudoOf[kind].includes(name) || name in headers) throw malformed(`${name} is out of place`);
    } else {
      isPastPseudo = true;
      if (forbidden.has(name) || (name === 'te' && value !== 'trailers')) throw malformed(`${name} is not for HTTP/2`);
    }
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  for (const name of neededOf[kind]) if (!headers[name]) throw malformed(`${name} is missing`);
  return headers;
}

/** @throws RangeError for names and values that cannot be sent */
export function listHeaders(headers: Headers): HeaderField[] {
  return Object.entries(headers).map(([name, value]) => {
    const lower = name.toLowerCase();
    if (!properName.test(lower)) throw new RangeError(`${JSON.stringify(name)} is no name of a header`);
    if (improperValue.test(value)) {
      throw new RangeError(
        `the value of the header ${lower} holds characters that headers cannot have, or spaces at its ends`,
      );
    }
    return [lower, value];
  });
}
