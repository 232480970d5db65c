/**
 * The head of an HTTP/1.1 response: where it ends, and what its fields say about body and connection. Source: RFC 9112,
 * sections 2, 4, 5 and 6.3. Anything else than such a head is an error as soon as its bytes show it: a server of
 * another protocol may wait for more than an HTTP client will ever send.
 */

/** The peer sent something other than an HTTP/1.1 response. */
export class ProtocolError extends Error {
  readonly code = 'HPE_INVALID';
}

export interface ResponseHead {
  status: number;
  /** Value of the `wanted` header. */
  header: string | undefined;
  /** The connection can carry another request. */
  reusable: boolean;
  /** Idle seconds after which the server closes the connection, if announced. */
  keepAliveSeconds: number | undefined;
  chunked: boolean;
  /** Stated length of the body. */
  length: number | undefined;
}

const protocol = Buffer.from('HTTP/1.');
const statusLine = /^HTTP\/1\.(\d) ([1-9]\d{2})(?: |\r?$)/;
// A line ends with CRLF; recipients may read a single LF as well.
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const emptyLine = Buffer.from('\n\r\n');
/** Up to this size, a search through all bytes is faster than one by lines. */
const maxFastBytes = 4096;
export const maxHeadBytes = 64 * 1024;
/** Bytes of a malformed response that its error shows. */
const maxShown = 60;

/**
 * @returns the lines of the head, and the index of the first byte behind it; undefined while the head is incomplete
 * @throws ProtocolError when these bytes begin no HTTP/1.1 response
 */
export function findHead(bytes: Buffer): { text: string; after: number } | undefined {
  const end = bytes.length > maxFastBytes ? -1 : bytes.indexOf(emptyLine);
  const text = end < 0 ? undefined : bytes.toString('latin1', 0, end);
  if (text !== undefined && !text.includes('\n\n')) return { text, after: end + emptyLine.length };
  return findHeadByLines(bytes);
}

/** Reads no further than the head: behind it, there may be many others. */
function findHeadByLines(bytes: Buffer): { text: string; after: number } | undefined {
  for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, end + 1)) {
    const next = bytes[end + 1] === carriageReturn ? end + 2 : end + 1;
    if (bytes[next] === lineFeed) return { text: bytes.toString('latin1', 0, end), after: next + 1 };
  }
  requireBegin(bytes);
  return undefined;
}

function requireBegin(bytes: Buffer): void {
  const length = Math.min(bytes.length, protocol.length);
  const lineEnd = bytes.indexOf(lineFeed);
  const isOther =
    bytes.compare(protocol, 0, length, 0, length) !== 0 ||
    (lineEnd >= 0 && !statusLine.test(bytes.toString('latin1', 0, lineEnd)));
  if (isOther) throw noResponse(bytes);
  if (bytes.length > maxHeadBytes)
    throw new ProtocolError(`response head too long: expected at most ${maxHeadBytes} bytes`);
}

function noResponse(bytes: Buffer): ProtocolError {
  return new ProtocolError(`no HTTP/1.1 response: got ${shown(bytes)}`);
}

/**
 * @param text lines of the head, which `bytes` begin with
 * @param wanted name of the one header to keep, in lower case
 * @throws ProtocolError
 */
export function readHead(text: string, bytes: Buffer, wanted: string): ResponseHead {
  const lines = unfolded(text).split('\n');
  const [, minorVersion, code] = statusLine.exec(lines[0] as string) ?? [];
  if (code === undefined) throw noResponse(bytes);
  const head: ResponseHead = {
    status: Number(code),
    header: undefined,
    reusable: minorVersion !== '0',
    keepAliveSeconds: undefined,
    chunked: false,
    length: undefined,
  };
  let isCoded = false;
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] as string;
    const colon = line.indexOf(':');
    if (colon < 1 || line[colon - 1] === ' ') throw malformed(`malformed header line ${shown(line)}`, bytes);
    const value = line.slice(colon + 1).trim();
    switch (line.slice(0, colon).toLowerCase()) {
      case 'content-length': {
        const length = lengthOf(value);
        if (length === undefined) throw malformed(`content-length ${shown(value)}`, bytes);
        if (head.length !== undefined && head.length !== length)
          throw malformed(`two lengths, ${head.length} and ${length},`, bytes);
        head.length = length;
        break;
      }
      case 'transfer-encoding':
        // A body whose last coding is another one ends with the connection.
        isCoded = true;
        head.chunked = /(?:^|[ \t,])chunked$/i.test(value);
        break;
      case 'connection':
        head.reusable = !/\bclose\b/i.test(value) && (head.reusable || /\bkeep-alive\b/i.test(value));
        break;
      case 'keep-alive':
        head.keepAliveSeconds = keepAliveSeconds(value);
        break;
      case wanted:
        head.header = value;
    }
  }
  if (isCoded && head.length !== undefined) throw malformed('both a content-length and a transfer coding', bytes);
  return head;
}

function malformed(problem: string, bytes: Buffer): ProtocolError {
  return new ProtocolError(`${problem} in ${shown(bytes)}`);
}

/** Folded lines, which are obsolete, as one line. */
function unfolded(text: string): string {
  return text.includes('\n ') || text.includes('\n\t') ? text.replace(/\r?\n[ \t]+/g, ' ') : text;
}

/** Servers may repeat the same length in a list; undefined for anything else. */
function lengthOf(value: string): number | undefined {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const [first = '', ...others] = value.split(',').map((part) => part.trim());
  return others.length > 0 && others.every((other) => other === first) ? lengthOf(first) : undefined;
}

function keepAliveSeconds(field: string): number | undefined {
  const seconds = /\btimeout\s*=\s*"?(\d+)/i.exec(field)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

/** The first bytes, with those that are no visible characters escaped. */
export function shown(bytes: Buffer | string): string {
  const text = typeof bytes === 'string' ? bytes : bytes.toString('latin1', 0, maxShown);
  return JSON.stringify(text.slice(0, maxShown)).replace(
    /[^ -~]/g,
    (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
