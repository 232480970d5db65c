/**
 * Reads the responses of one autocannon client with the parser of the open driver. autocannon gets a head without a
 * body for each complete response, and sends again. Its own reading would count interim and cut-off responses as
 * answers, wait for the drain where a peer does not speak HTTP/1.1, and keep each body.
 */
import type { Socket } from 'node:net';
import { ProtocolError, shown } from '../open/response-head.ts';
import { type Response, ResponseParser } from '../open/response-parser.ts';

export interface ReaderOptions {
  method: string;
  /** Header to keep, in lower case. */
  wantedHeader: string;
  /** As `ParserOptions.maxBodyBytes`. */
  maxBodyBytes: number;
  onResponse: (response: Response) => void;
}

export class ResponseReader {
  readonly #method: string;
  readonly #onResponse: (response: Response) => void;
  readonly #parser: ResponseParser;
  #socket: Socket | undefined;
  /** A request waits for its response. */
  #waits = false;

  constructor({ method, onResponse, ...options }: ReaderOptions) {
    this.#method = method;
    this.#onResponse = onResponse;
    this.#parser = new ResponseParser(options);
  }

  /**
   * Expects the response to a request that is about to be sent.
   * @param socket of the client @returns whether it is a new one
   */
  expect(socket: Socket): boolean {
    this.#parser.expect(this.#method);
    this.#waits = true;
    if (socket === this.#socket) return false;
    this.#socket = socket;
    const [deliver] = socket.listeners('data');
    if (!deliver) throw new Error('autocannon reads no data of its socket: expected a listener');
    socket.removeAllListeners('data');
    socket.on('data', (piece: Buffer) => {
      if (socket === this.#socket) this.#read(socket, piece, (head) => deliver.call(socket, head));
    });
    socket.prependListener('end', () => {
      const response = this.#waits && socket === this.#socket ? this.#parser.close() : undefined;
      if (response) this.#finish(response);
    });
    return true;
  }

  #read(socket: Socket, piece: Buffer, deliver: (head: Buffer) => void): void {
    try {
      if (!this.#waits) throw new ProtocolError(`bytes without a request: got ${shown(piece)}`);
      const response = this.#parser.push(piece);
      if (!response) return;
      this.#finish(response);
      if (response.reusable) deliver(headOf(response.status));
      // autocannon opens a connection for the next request at the end of this one.
      else socket.end();
    } catch (error) {
      // autocannon reports it as an error of the connection, and opens another one.
      socket.destroy(error as Error);
    }
  }

  #finish(response: Response): void {
    this.#waits = false;
    this.#onResponse(response);
  }
}

const headOf = (status: number): Buffer => Buffer.from(`HTTP/1.1 ${status} \r\ncontent-length: 0\r\n\r\n`);
