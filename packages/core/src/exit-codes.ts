/** Process exit codes: the contract that users' scripts rely on. */
export const ExitCode = {
  /** Success, or the gate passed. */
  ok: 0,
  /** The gate failed, or an example of a rule file does not hold. */
  checkFailed: 1,
  /** Bad usage, file or schema. */
  badInput: 2,
  /** The environment lacks a requirement. The message names it and how to get it. */
  environment: 3,
  /** A fault of topo-bench itself. */
  internal: 4,
  /** A measurement is invalid, or a gate is undecided. */
  invalid: 5,
  /** No baseline to compare with. */
  noBaseline: 6,
  /** Interrupted; everything torn down, finished repetitions kept. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
