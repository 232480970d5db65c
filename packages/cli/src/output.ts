/** Where output goes: results to standard output, progress and advice to standard error. */

/** Prints the one JSON document of a `--json` command. */
export function printJson(document: unknown): void {
  process.stdout.write(jsonText(document));
}

/** A document on one line. +∞ becomes the string "Infinity", as in run folders. */
export function jsonText(document: unknown): string {
  return `${JSON.stringify(document, infinityAsText)}\n`;
}

export function printLine(text = ''): void {
  process.stdout.write(`${text}\n`);
}

/** A line for people while the command works: standard error. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A reader that stops reading (`topo-bench … | head`) must not end a run: writes to it are dropped from then on. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

function infinityAsText(_key: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? 'Infinity' : value;
}
