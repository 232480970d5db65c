/**
 * Bounds the bytes of request bodies that have not arrived completely. Clients could otherwise make a server keep a
 * nearly complete body per connection.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { problems } from './http-problem.ts';
import { refuse } from './plain-routes.ts';

/** Smaller bodies are not counted: the limit of connections bounds them, and counting would cost time. */
const minCountedBytes = 16_384;

export class UnfinishedBodies {
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Call it before anything reads the body. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    if (!isLarge(request)) return;
    let own = 0;
    const forget = (): void => {
      this.bytes -= own;
      own = 0;
    };
    request.on('data', ({ length }: Buffer) => {
      own += length;
      this.bytes += length;
      // The body of an answered request is dropped as it arrives.
      if (response.headersSent) forget();
      else if (this.bytes > this.maxBytes) {
        forget();
        response.once('finish', () => request.destroy());
        refuse(response, problems.tooManyBodies, { connection: 'close' });
      }
    });
    request.once('end', forget).once('close', forget);
  }
}

function isLarge({ headers }: IncomingMessage): boolean {
  const announced = headers['content-length'];
  return announced === undefined ? headers['transfer-encoding'] !== undefined : Number(announced) > minCountedBytes;
}
