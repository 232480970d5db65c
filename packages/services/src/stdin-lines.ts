/** Standard input, line by line, for the handshake with the parent process. */
export class StdinLines {
  private readonly lines: string[] = [];
  private readonly waiting: ((line: string) => void)[] = [];
  private rest: string[] = [];

  /** @param onEnd called when standard input ends: the parent is gone or wants the process gone */
  constructor(onEnd: () => void) {
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk: string) => this.take(chunk));
    process.stdin.on('end', onEnd);
    process.stdin.on('error', onEnd);
  }

  /** The next line without its end, in order of asking. */
  next(): Promise<string> {
    const line = this.lines.shift();
    return line === undefined ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve(line);
  }

  private take(chunk: string): void {
    const parts = chunk.split('\n');
    // Chunks of a long line are joined once, when it ends: a configuration can be megabytes.
    for (const part of parts.slice(0, -1)) {
      const line = this.rest.length === 0 ? part : this.rest.concat(part).join('');
      this.rest = [];
      const waiting = this.waiting.shift();
      if (waiting) waiting(line);
      else this.lines.push(line);
    }
    this.rest.push(parts.at(-1) as string);
  }
}
