/**
 * A ref of a side-by-side measurement: another state of the files, another build of the user-supplied service, or
 * another command.
 */
import { existsSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { parseSource } from '@topo-bench/topology';
import { readText } from '../read-inputs.ts';

export type Ref =
  /** This topology, with the rules that it names, in place of the experiment's. */
  | { kind: 'topology'; path: string }
  /** User-supplied services start here, instead of in the directory of the topology file. */
  | { kind: 'directory'; path: string }
  /** Starts the user-supplied service. */
  | { kind: 'command'; command: string };

/** Files of the experiment, absolute. */
export interface MeasuredFiles {
  experiment: string;
  /** Absent when the experiment names none. */
  topology?: string;
}

/**
 * A directory is another state of the files (e.g. a checkout) if it contains the experiment or its topology, at the
 * same relative path or at its top. In any other directory the user-supplied services start. A YAML or JSON file is a
 * topology. Everything else is a command.
 * @throws TopoBenchError `TB_GATE_REF` for a text that is neither a path nor a program; `TB_FILE_NOT_FOUND`
 */
export async function readRef(text: string, files: MeasuredFiles): Promise<Ref> {
  const found = statOf(text);
  if (found?.isDirectory()) {
    const topology = await topologyIn(resolve(text), files);
    return topology === undefined ? { kind: 'directory', path: resolve(text) } : { kind: 'topology', path: topology };
  }
  if (found && /\.(ya?ml|json)$/.test(text)) return { kind: 'topology', path: resolve(text) };
  if (text.trim() === '') throw refError('a ref is empty', 'give a directory, a topology file or a command');
  if (!found && !/\s/.test(text.trim()) && !(await isProgram(text))) {
    throw refError(
      `${JSON.stringify(text)} is neither a directory nor a file nor a program here`,
      'to measure a revision, check it out first: git worktree add ../base REVISION, then --baseline-ref ../base',
    );
  }
  return { kind: 'command', command: text };
}

/** Path of the topology for the experiment in a directory; undefined if there is none. */
async function topologyIn(directory: string, { experiment, topology }: MeasuredFiles): Promise<string | undefined> {
  const counterpart = (file: string): string | undefined =>
    [fromHere(file), basename(file)].map((path) => join(directory, path)).find((path) => existsSync(path));
  const ownExperiment = counterpart(experiment);
  if (ownExperiment === undefined) return topology && counterpart(topology);
  const { value } = parseSource(await readText(ownExperiment));
  const named = (value as { topology?: unknown } | null)?.topology;
  if (typeof named !== 'string')
    throw refError(`${ownExperiment} names no topology`, 'correct it, or name the topology file itself');
  return resolve(dirname(ownExperiment), named);
}

/** Its path from the working directory; for a file outside, its name. */
function fromHere(file: string): string {
  const path = relative('.', file);
  return path.startsWith('..') || isAbsolute(path) ? basename(file) : path;
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Whether the shell finds the program. */
async function isProgram(word: string): Promise<boolean> {
  const { programOutput } = await import('@topo-bench/host');
  return (await programOutput('sh', ['-c', 'command -v "$1"', 'sh', word])) !== undefined;
}

export function refError(message: string, hint: string): TopoBenchError {
  return new TopoBenchError('TB_GATE_REF', message, { hint });
}
