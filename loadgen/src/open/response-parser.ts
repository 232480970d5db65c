/**
 * Reads one HTTP/1.1 response after the other from the pieces in which it arrives: as much of the protocol as a client needs that asks
 * one thing at a time. Source: RFC 9112, sections 2 to 7.
 */
export interface Response {
  status: number;
  /** Value of the header that the parser was told to look for. */
  header: string | undefined;
  body: Uint8Array[];
  /** The connection can carry another request. */
  reusable: boolean;
  /** Idle seconds after which the server closes the connection, when it says so. */
  keepAliveSeconds: number | undefined;
}

/** Something that is no HTTP/1.1 response. */
export class ProtocolError extends Error {
  readonly code = 'HPE_INVALID';
}

const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');
const maxHeadBytes = 64 * 1024;

export class ResponseParser {
  readonly #wanted: string;
  #method = '';
  /** Bytes of an unfinished head or chunk. */
  #rest: Buffer | undefined;
  #response: Response | undefined;
  #framing: 'length' | 'chunked' | 'until-close' = 'length';
  /** Bytes of the body to come, when framed by length. */
  #missing = 0;

  /** @param wanted name of the one header whose value is kept, in lower case */
  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  /** A request of that method was sent: expect its response. */
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

  /** The server ended the connection. @returns the response when that is its end */
  close(): Response | undefined {
    return this.#framing === 'until-close' ? this.#response : undefined;
  }

  #readHead(bytes: Buffer): Response | undefined {
    const end = bytes.indexOf(headEnd);
    if (end < 0) {
      if (bytes.length > maxHeadBytes) throw new ProtocolError(`response head of more than ${maxHeadBytes} bytes`);
      this.#rest = bytes;
      return undefined;
    }
    const [statusLine = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n');
    const [, minorVersion, code] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(statusLine) ?? [];
    if (code === undefined) throw new ProtocolError(`${JSON.stringify(statusLine.slice(0, 80))} is no HTTP/1.1 status line`);
    const status = Number(code);
    const after = bytes.subarray(end + headEnd.length);
    // Interim responses (100, 103) precede the real one.
    if (status < 200) return after.length > 0 ? this.#readHead(after) : undefined;
    const response = { status, header: undefined, body: [], reusable: minorVersion === '1', keepAliveSeconds: undefined };
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
      throw new ProtocolError('content-length is no number');
    const bodiless = this.#method === 'HEAD' || response.status === 204 || response.status === 304;
    this.#framing = bodiless || (length !== undefined && !chunked) ? 'length' : chunked ? 'chunked' : 'until-close';
    this.#missing = bodiless ? 0 : (length ?? 0);
    if (this.#framing === 'until-close') response.reusable = false;
  }

  #readBody(response: Response, bytes: Buffer): Response | undefined {
    if (this.#framing === 'chunked') return this.#readChunks(response, bytes);
    if (bytes.length > 0) response.body.push(bytes);
    if (this.#framing === 'until-close') return undefined;
    this.#missing -= bytes.length;
    if (this.#missing < 0) throw new ProtocolError('more bytes than content-length said');
    return this.#missing === 0 ? response : undefined;
  }

  #readChunks(response: Response, bytes: Buffer): Response | undefined {
    let at = 0;
    for (;;) {
      const sizeEnd = bytes.indexOf(lineEnd, at);
      if (sizeEnd < 0) break;
      const size = Number.parseInt(bytes.toString('latin1', at, sizeEnd), 16);
      if (!(size >= 0)) throw new ProtocolError('chunk size is no hexadecimal number');
      if (size === 0) {
        // Trailer fields, or none, and an empty line.
        if (bytes.indexOf(headEnd, sizeEnd) < 0) break;
        return response;
      }
      const from = sizeEnd + lineEnd.length;
      if (bytes.length < from + size + lineEnd.length) break;
      response.body.push(bytes.subarray(from, from + size));
      at = from + size + lineEnd.length;
    }
    this.#rest = bytes.subarray(at);
    return undefined;
  }
}

function keepAliveSeconds(field: string): number | undefined {
  const seconds = /timeout=(\d+)/.exec(field)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}
