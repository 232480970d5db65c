/** The input of the converter: one connection of a connector, which proves itself with its first line. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** Time between the first read and the first row: a pod may have to start first. */
const connectsWithinMs = 120_000;
const maxTokenBytes = 1024;
const lineFeed = 10;

export class ConnectorInput {
  readonly #server: Server;
  readonly #digest: Buffer;
  readonly #accepted: Promise<Socket>;
  #accept: (socket: Socket) => void = () => undefined;
  #isTaken = false;

  constructor(token: string) {
    this.#digest = digestOf(Buffer.from(token));
    this.#accepted = new Promise((resolve) => {
      this.#accept = resolve;
    });
    this.#server = createServer((socket) => void this.#verify(socket).catch(() => socket.destroy()));
  }

  /** @param port 0 for a free one @returns the port */
  async listen(port: number, host: string): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Text of the connector, in UTF-8, after its token. A reader that stops early closes the connection. */
  async *text(signal: AbortSignal): AsyncGenerator<string, void, void> {
    const late = AbortSignal.any([signal, AbortSignal.timeout(connectsWithinMs)]);
    const socket = await Promise.race([this.#accepted, abortOf(late)]);
    socket.setEncoding('utf8');
    for await (const chunk of socket) yield chunk as string;
  }

  close(): void {
    this.#server.close();
    void this.#accepted.then((socket) => socket.destroy());
  }

  async #verify(socket: Socket): Promise<void> {
    socket.on('error', () => undefined);
    let line = Buffer.alloc(0);
    while (!line.includes(lineFeed)) {
      const chunk: Buffer | null = socket.read();
      if (chunk) line = Buffer.concat([line, chunk]);
      else if (socket.readableEnded || line.length > maxTokenBytes) return void socket.destroy();
      else await Promise.race([once(socket, 'readable'), once(socket, 'end')]);
    }
    const end = line.indexOf(lineFeed);
    if (this.#isTaken || !timingSafeEqual(digestOf(line.subarray(0, end)), this.#digest)) return void socket.destroy();
    this.#isTaken = true;
    socket.unshift(line.subarray(end + 1));
    this.#accept(socket);
  }
}

function digestOf(token: Buffer): Buffer {
  return createHash('sha256').update(token).digest();
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}
