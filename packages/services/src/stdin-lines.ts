/** Reads standard input line by line, for the handshake with the parent process. */
import { Socket } from 'node:net';

const newLine = 10;
const chunkBytes = 64 * 1024;

export class StdinLines {
  private readonly lines: string[] = [];
  private readonly waiting: ((line: string) => void)[] = [];
  /** Received chunks of the incomplete line. */
  private rest: Buffer[] = [];

  /** @param onEnd called when standard input ends: the parent has exited or requests the end of this process */
  constructor(onEnd: () => void) {
    const input = openStdin((chunk) => this.take(chunk));
    input.on('end', onEnd);
    input.on('error', onEnd);
    input.resume();
  }

  /** The next line without its line break. Concurrent calls get lines in call order. */
  next(): Promise<string> {
    const line = this.lines.shift();
    return line === undefined ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve(line);
  }

  private take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, start)) {
      // Chunks are joined once per line: a configuration can be megabytes.
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
 * Reads a pipe into one reused buffer. Creating `process.stdin` takes about 1/40 of a role's start time.
 * @param take called with each chunk; its buffer is reused afterwards
 */
function openStdin(take: (chunk: Buffer) => void): NodeJS.ReadStream | Socket {
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  const callback = (bytes: number): boolean => {
    take(buffer.subarray(0, bytes));
    return true;
  };
  // The types of Node.js declare `onread` for connections only.
  const options = { fd: 0, readable: true, writable: false, onread: { buffer, callback } };
  try {
    return new Socket(options);
  } catch {
    // Standard input is a file or a terminal.
    return process.stdin.on('data', take);
  }
}
