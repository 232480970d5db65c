/**
 * Parses consecutive HTTP/1.1 responses from chunks of a socket: the part of the protocol for a client without
 * pipelining. Source: RFC 9112, sections 2 to 7.
 */
export interface Response {
  status: number;
  /** Value of the `wanted` header. */
  header: string | undefined;
  body: Uint8Array[];
  /** The connection can carry another request. */
  reusable: boolean;
  /** Idle seconds after which the server closes the connection, if announced. */
  keepAliveSeconds: number | undefined;
}

/** The peer sent something other than an HTTP/1.1 response. */
export class ProtocolError extends Error {
  readonly code = 'HPE_INVALID';
}

const headEnd = Buffer.from('\r\n\r\n');
const lineFeed = 0x0a;
const maxHeadBytes = 64 * 1024;
/** Bytes of a malformed response that its error shows. */
const maxShown = 60;

export class ResponseParser {
  readonly #wanted: string;
  #method = '';
  /** Bytes of an incomplete head or line. */
  #rest: Buffer | undefined;
  #response: Response | undefined;
  #framing: 'length' | 'chunked' | 'until-close' = 'length';
  /** Missing bytes of a body framed by length, or of a chunk. */
  #missing = 0;
  /** What the next line of a chunked body is. */
  #chunkLine: 'size' | 'end' | 'trailer' = 'size';

  /** @param wanted name of the one header to keep, in lower case */
  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  /** Expects the response to a request with this method. */
  expect(method: string): void {
    this.#method = method;
    this.#rest = undefined;
    this.#response = undefined;
  }

  /**
   * @returns the response when this piece completes it
   * @throws ProtocolError
   */
  push(piece: Buffer): Response | undefined {
    const bytes = this.#rest ? Buffer.concat([this.#rest, piece]) : piece;
    this.#rest = undefined;
    return this.#response ? this.#readBody(this.#response, bytes) : this.#readHead(bytes);
  }

  /** Handles the end of the connection. @returns the response when the end completes it */
  close(): Response | undefined {
    return this.#framing === 'until-close' ? this.#response : undefined;
  }

  #readHead(bytes: Buffer): Response | undefined {
    const end = bytes.indexOf(headEnd);
    if (end < 0) {
      if (bytes.length > maxHeadBytes)
        throw new ProtocolError(`response head too long: expected at most ${maxHeadBytes} bytes`);
      this.#rest = bytes;
      return undefined;
    }
    const [statusLine = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n');
    const [, minorVersion, code] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(statusLine) ?? [];
    if (code === undefined)
      throw new ProtocolError(`malformed status line: got ${shown(statusLine)}, expected HTTP/1.1`);
    const status = Number(code);
    const after = bytes.subarray(end + headEnd.length);
    // Interim responses (100, 103) precede the final one.
    if (status < 200) return after.length > 0 ? this.#readHead(after) : undefined;
    const response = {
      status,
      header: undefined,
      body: [],
      reusable: minorVersion === '1',
      keepAliveSeconds: undefined,
    };
    this.#response = response;
    this.#readFields(response, fields);
    return this.#readBody(response, after);
  }

  #readFields(response: Response, fields: readonly string[]): void {
    let length: number | undefined;
    let chunked = false;
    for (const field of fields) {
      const colon = field.indexOf(':');
      const value = field.slice(colon + 1).trim();
      switch (field.slice(0, colon).toLowerCase()) {
        case 'content-length':
          length = Number(value);
          break;
        case 'transfer-encoding':
          chunked = value.toLowerCase().endsWith('chunked');
          break;
        case 'connection':
          response.reusable = !/\bclose\b/i.test(value) && (response.reusable || /\bkeep-alive\b/i.test(value));
          break;
        case 'keep-alive':
          response.keepAliveSeconds = keepAliveSeconds(value);
          break;
        case this.#wanted:
          response.header = value;
      }
    }
    if (length !== undefined && !(Number.isInteger(length) && length >= 0))
      throw new ProtocolError('malformed content-length: expected a number');
    const bodiless = this.#method === 'HEAD' || response.status === 204 || response.status === 304;
    this.#framing = bodiless || (length !== undefined && !chunked) ? 'length' : chunked ? 'chunked' : 'until-close';
    this.#missing = this.#framing === 'length' && !bodiless ? (length ?? 0) : 0;
    this.#chunkLine = 'size';
    if (this.#framing === 'until-close') response.reusable = false;
  }

  #readBody(response: Response, bytes: Buffer): Response | undefined {
    if (this.#framing === 'chunked') return this.#readChunks(response, bytes);
    if (bytes.length > 0) response.body.push(bytes);
    if (this.#framing === 'until-close') return undefined;
    this.#missing -= bytes.length;
    if (this.#missing < 0) throw new ProtocolError('body longer than content-length');
    return this.#missing === 0 ? response : undefined;
  }

  /**
   * Chunk data is taken as it arrives. Only an incomplete line waits for the next piece, so that the work is linear in
   * the size of the body, whatever the size of its chunks.
   */
  #readChunks(response: Response, bytes: Buffer): Response | undefined {
    let at = 0;
    while (at < bytes.length) {
      if (this.#missing > 0) {
        const data = bytes.subarray(at, at + this.#missing);
        response.body.push(data);
        this.#missing -= data.length;
        at += data.length;
        continue;
      }
      const end = bytes.indexOf(lineFeed, at);
      if (end < 0) {
        if (bytes.length - at > maxHeadBytes)
          throw new ProtocolError(`line between chunks too long: expected at most ${maxHeadBytes} bytes`);
        this.#rest = bytes.subarray(at);
        return undefined;
      }
      const line = bytes.toString('latin1', at, end).trimEnd();
      at = end + 1;
      if (!this.#readChunkLine(line)) continue;
      if (at < bytes.length) throw new ProtocolError('bytes after the last chunk');
      return response;
    }
    return undefined;
  }

  /** Reads the size of a chunk, the end of its data, or a trailer field. @returns whether the body is complete */
  #readChunkLine(line: string): boolean {
    if (this.#chunkLine === 'trailer') return line === '';
    if (this.#chunkLine === 'end') {
      if (line !== '') throw new ProtocolError(`chunk longer than its size: got ${shown(line)} behind its data`);
      this.#chunkLine = 'size';
      return false;
    }
    const [, size] = /^([\da-f]{1,12})[ \t]*(?:;|$)/i.exec(line) ?? [];
    if (size === undefined)
      throw new ProtocolError(`malformed chunk size: got ${shown(line)}, expected a hexadecimal number`);
    this.#missing = Number.parseInt(size, 16);
    this.#chunkLine = this.#missing === 0 ? 'trailer' : 'end';
    return false;
  }
}

/** The first bytes as text without control characters. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, maxShown)).replace(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
}

function keepAliveSeconds(field: string): number | undefined {
  const seconds = /timeout=(\d+)/.exec(field)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}
