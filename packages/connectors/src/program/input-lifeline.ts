/** Standard input as a lifeline: its end ends the program, and its first line can start it. */

const interrupted = 143;

export interface InputUse {
  /** Ends the program with its input, and so with the process that started it. */
  untilInputEnds: boolean;
  /** Waits for a line, which shows that the output is being read. */
  afterInputLine: boolean;
}

/** Resolves when the program may start its work. */
export async function followInput({ untilInputEnds, afterInputLine }: InputUse): Promise<void> {
  if (untilInputEnds) process.stdin.resume().once('end', () => process.exit(interrupted));
  if (afterInputLine) await new Promise((resolve) => process.stdin.once('data', resolve));
}
