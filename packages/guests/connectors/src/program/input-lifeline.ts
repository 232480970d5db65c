/**
 * Standard input as a lifeline: its end ends the program, its first line can start it, and a further line shows that
 * its output has arrived.
 */
import type { ProgramOutput } from './program-output.ts';

const interrupted = 143;

export interface InputUse {
  /** Ends the program with its input, and so with the process that started it. */
  untilInputEnds: boolean;
  /** Waits for a line, which shows that the output is being read. */
  afterInputLine: boolean;
  /** Waits at the end for a line, which shows that the report was read. */
  untilReadLine: boolean;
}

const flag = { type: 'boolean', default: false } as const;
export const inputFlags = { 'until-input-ends': flag, 'after-input-line': flag, 'until-read-line': flag } as const;

/** @param values of `inputFlags` */
export function inputUseOf(values: Readonly<Record<keyof typeof inputFlags, boolean>>): InputUse {
  return {
    untilInputEnds: values['until-input-ends'],
    afterInputLine: values['after-input-line'],
    untilReadLine: values['until-read-line'],
  };
}

/** A reader that is alive keeps the input open, and may be slow. */
const readWithinMs = 60_000;

/** Resolves when the program may start its work. */
export async function followInput({ untilInputEnds, afterInputLine }: InputUse): Promise<void> {
  if (untilInputEnds) process.stdin.resume().once('end', () => process.exit(interrupted));
  if (afterInputLine) await new Promise((resolve) => process.stdin.once('data', resolve));
}

/**
 * Ends the output. Resolves when the end of this process cannot lose a part of it.
 * @param use absent for a command line that was not understood
 */
export async function endOutput(output: ProgramOutput, use: InputUse | undefined): Promise<void> {
  const read = use?.untilReadLine ? inputLine(readWithinMs) : undefined;
  await output.end();
  await read;
}

function inputLine(withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, withinMs);
    process.stdin.once('data', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
