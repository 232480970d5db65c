/** Standard input, line by line, for the handshake with the parent process. */
import { Socket } from 'node:net';

const newLine = 10;
const chunkBytes = 64 * 1024;

export class StdinLines {
  private readonly lines: string[] = [];
  private readonly waiting: ((line: string) => void)[] = [];
  /** What has come of the next line. */
  private rest: Buffer[] = [];

  /** @param onEnd called when standard input ends: the parent is gone or wants the process gone */
  constructor(onEnd: () => void) {
    const input = openStdin((chunk) => this.take(chunk));
    input.on('end', onEnd);
    input.on('error', onEnd);
    input.resume();
  }

  /** The next line without its end, in order of asking. */
  next(): Promise<string> {
    const line = this.lines.shift();
    return line === undefined ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve(line);
  }

  private take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, start)) {
      // Pieces of a long line are joined once, when it ends: a configuration can be megabytes.
      const line = Buffer.concat([...this.rest, chunk.subarray(start, end)]).toString();
      this.rest = [];
      start = end + 1;
      const waiting = this.waiting.shift();
      if (waiting) waiting(line);
      else this.lines.push(line);
    }
    if (start < chunk.length) this.rest.push(Buffer.from(chunk.subarray(start)));
  }
}

/**
 * A parent's pipe is read into one buffer: making `process.stdin` and its stream takes a fortieth of a role's start.
 * @param take gets what has come, in a buffer that is read into again
 */
function openStdin(take: (chunk: Buffer) => void): NodeJS.ReadStream | Socket {
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  const callback = (bytes: number): boolean => {
    take(buffer.subarray(0, bytes));
    return true;
  };
  // Node.js's types know `onread` of connections only.
  const options = { fd: 0, readable: true, writable: false, onread: { buffer, callback } };
  try {
    return new Socket(options);
  } catch {
    // A file or a terminal.
    return process.stdin.on('data', take);
  }
}
