/**
 * Parses consecutive HTTP/1.1 responses from chunks of a socket: the part of the protocol for a client without
 * pipelining. Source: RFC 9112, sections 2 to 7.
 */
import { findHead, maxHeadBytes, ProtocolError, type ResponseHead, readHead, shown } from './response-head.ts';

/** Max body of a response that is kept. */
export const maxKeptBodyBytes = 64 * 1024 * 1024;

export interface ParserOptions {
  /** Name of the one header to keep, in lower case. */
  wantedHeader: string;
  /** Bodies are kept up to so many bytes; a larger one is an error. Default 0: bodies are dropped as they arrive. */
  maxBodyBytes?: number | undefined;
}

export interface Response extends Pick<ResponseHead, 'status' | 'header' | 'reusable' | 'keepAliveSeconds'> {
  /** Empty where bodies are dropped. */
  body: Uint8Array[];
}

const lineFeed = 0x0a;

export class ResponseParser {
  readonly #wanted: string;
  readonly #maxBodyBytes: number;
  #bodyBytes = 0;
  #method = '';
  /** Bytes of an incomplete head or line. */
  #rest: Buffer | undefined;
  #response: Response | undefined;
  #framing: 'length' | 'chunked' | 'until-close' = 'length';
  /** Missing bytes of a body framed by length, or of a chunk. */
  #missing = 0;
  /** What the next line of a chunked body is. */
  #chunkLine: 'size' | 'end' | 'trailer' = 'size';

  constructor({ wantedHeader, maxBodyBytes = 0 }: ParserOptions) {
    this.#wanted = wantedHeader;
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** Expects the response to a request with this method. */
  expect(method: string): void {
    this.#method = method;
    this.#rest = undefined;
    this.#response = undefined;
    this.#bodyBytes = 0;
  }

  /**
   * @returns the response when this piece completes it
   * @throws ProtocolError
   */
  push(piece: Buffer): Response | undefined {
    const bytes = this.#rest ? Buffer.concat([this.#rest, piece]) : piece;
    this.#rest = undefined;
    return this.#response ? this.#readBody(this.#response, bytes) : this.#readHeads(bytes);
  }

  /** Handles the end of the connection. @returns the response when the end completes it */
  close(): Response | undefined {
    return this.#framing === 'until-close' ? this.#response : undefined;
  }

  /** Interim responses (100, 103) precede the final one. */
  #readHeads(bytes: Buffer): Response | undefined {
    for (let left = bytes; left.length > 0; ) {
      const found = findHead(left);
      if (!found) {
        this.#rest = left;
        return undefined;
      }
      const head = readHead(found.text, left, this.#wanted);
      if (head.status === 101)
        throw new ProtocolError(`the server switched to another protocol unasked: got ${shown(left)}`);
      left = left.subarray(found.after);
      if (head.status >= 200) return this.#begin(head, left);
    }
    return undefined;
  }

  #begin({ status, header, reusable, keepAliveSeconds, chunked, length }: ResponseHead, after: Buffer) {
    const bodiless = this.#method === 'HEAD' || status === 204 || status === 304;
    this.#framing = bodiless || length !== undefined ? 'length' : chunked ? 'chunked' : 'until-close';
    this.#missing = bodiless ? 0 : (length ?? 0);
    this.#chunkLine = 'size';
    const response = {
      status,
      header,
      body: [],
      reusable: reusable && this.#framing !== 'until-close',
      keepAliveSeconds,
    };
    this.#response = response;
    return this.#readBody(response, after);
  }

  #readBody(response: Response, bytes: Buffer): Response | undefined {
    if (this.#framing === 'chunked') return this.#readChunks(response, bytes);
    this.#keep(response, bytes);
    if (this.#framing === 'until-close') return undefined;
    this.#missing -= bytes.length;
    if (this.#missing < 0) throw new ProtocolError('body longer than content-length');
    return this.#missing === 0 ? response : undefined;
  }

  #keep({ body }: Response, bytes: Buffer): void {
    if (this.#maxBodyBytes === 0 || bytes.length === 0) return;
    this.#bodyBytes += bytes.length;
    if (this.#bodyBytes > this.#maxBodyBytes)
      throw new ProtocolError(`body too large: expected at most ${this.#maxBodyBytes} bytes`);
    body.push(bytes);
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
        this.#keep(response, data);
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
