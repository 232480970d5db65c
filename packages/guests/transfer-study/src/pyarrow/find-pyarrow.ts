/** Looks for a Python that has pyarrow with Arrow Flight: the one that a variable names, else the one on the PATH. */
import { runnerNames, TopoBenchError } from '@topo-bench/core';
import { programOutput } from '@topo-bench/host';
import type { ExperimentCell } from '@topo-bench/trial';

export interface Pyarrow {
  /** Path of the interpreter. */
  python: string;
  /** Version of pyarrow. */
  version: string;
}

export const pythonVariable = 'TOPO_BENCH_PYTHON';
export const installation = 'pip install pyarrow';
/** The first import of a library of this size reads much from the disk. */
const timeoutMs = 30_000;
const question = 'import sys, pyarrow, pyarrow.flight; print(pyarrow.__version__, sys.executable)';

/** @returns undefined when that Python is missing or cannot import `pyarrow.flight` */
export async function findPyarrow(): Promise<Pyarrow | undefined> {
  const answer = await programOutput(candidate(), ['-c', question], timeoutMs);
  const [, version, python] = /^(\S+) (.+)$/m.exec(answer ?? '') ?? [];
  return version === undefined || python === undefined ? undefined : { python, version };
}

/** @throws TopoBenchError `TB_FLIGHT_NO_SERVER` */
export async function requirePyarrow(): Promise<Pyarrow> {
  const found = await findPyarrow();
  if (found) return found;
  const place = process.env[pythonVariable] === undefined ? 'on the PATH' : `of ${pythonVariable}`;
  throw new TopoBenchError(
    'TB_FLIGHT_NO_SERVER',
    `\`flight.server: pyarrow\` needs pyarrow.flight: the Python ${place} (${candidate()}) cannot import it`,
    { hint: `run: ${installation}, or set ${pythonVariable} to a Python that has it` },
  );
}

/**
 * The server of pyarrow is a process on this machine: with another runner its figures would be compared with those of
 * services that run elsewhere.
 * @throws TopoBenchError `TB_FLIGHT_NO_SERVER`
 */
export function requireRunnerOfPyarrow(cells: readonly Pick<ExperimentCell, 'settings'>[]): void {
  const [processes] = runnerNames;
  const other = cells.find(({ settings }) => settings.runner !== processes)?.settings.runner;
  if (other === undefined) return;
  const message = `\`flight.server: pyarrow\` runs on this machine only, and the runner is ${other}: the image of services has no Python`;
  throw new TopoBenchError('TB_FLIGHT_NO_SERVER', message, {
    hint: `run it with --runner ${processes}, or leave out \`server: pyarrow\``,
  });
}

function candidate(): string {
  return process.env[pythonVariable] ?? 'python3';
}
