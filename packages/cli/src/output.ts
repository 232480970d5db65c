/**
 * Writes results to standard output, and progress and advice to standard error. Credentials of addresses are in none
 * of them, wherever the address comes from.
 */
import { withoutCredentials } from '@topo-bench/core';

/** Prints the one JSON document of a `--json` command. */
export function printJson(document: unknown): void {
  process.stdout.write(withoutCredentials(jsonText(document)));
}

/** A document on one line. +∞ becomes the string "Infinity", as in run folders. */
export function jsonText(document: unknown): string {
  return `${JSON.stringify(document, infinityAsText)}\n`;
}

export function printLine(text = ''): void {
  process.stdout.write(`${withoutCredentials(text)}\n`);
}

/** Prints advice on standard error. */
export function note(text: string): void {
  process.stderr.write(`${withoutCredentials(text)}\n`);
}

let quiet = false;

/** Whether progress is dropped from now on (`--quiet`); notes, warnings, errors and results stay. */
export function setQuiet(isQuiet: boolean): void {
  quiet = isQuiet;
}

/** Prints what happens at the moment on standard error, unless `--quiet` is given. */
export function progressLine(text: string): void {
  if (!quiet) note(text);
}

/** Drops writes to a closed pipe (`topo-bench … | head`): it does not end a run. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(ignoreClosedPipe)) stream.on('error', ignoreClosedPipe);
  }
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Width and colours for a table on standard output. */
export function terminal(): { columns: number; colours: boolean } {
  const { columns, isTTY } = process.stdout;
  // 0 in a pseudo-terminal whose size was never set.
  return { columns: columns || 120, colours: isTTY === true && process.env.NO_COLOR === undefined };
}

function infinityAsText(_key: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? 'Infinity' : value;
}
