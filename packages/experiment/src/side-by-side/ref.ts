/**
 * What a ref of a side-by-side measurement stands for: another state of the files, another build of the user's service,
 * or another command.
 */
import { existsSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { parseSource } from '@topo-bench/topology';
import { readText } from '../read-inputs.ts';

export type Ref =
  /** This topology, with the rules that it names, in place of the experiment's. */
  | { kind: 'topology'; path: string }
  /** The user's own services start here, instead of beside the topology file. */
  | { kind: 'directory'; path: string }
  /** Starts the user's own service. */
  | { kind: 'command'; command: string };

/** Files of the experiment, absolute. */
export interface MeasuredFiles {
  experiment: string;
  /** Absent when the experiment names none. */
  topology?: string;
}

/**
 * A directory that holds the experiment or its topology, at the place where they stand from here or at its top, is
 * another state of these files: a checkout, say. Any other is where the user's own services start. A YAML or JSON file
 * is a topology. Everything else is a command.
 * @throws TopoBenchError `TB_GATE_REF` for a text that is neither there nor a program; `TB_FILE_NOT_FOUND`
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
      `${JSON.stringify(text)} is no directory, no file and no program here`,
      'to measure a revision, check it out first: git worktree add ../base REVISION, then --baseline-ref ../base',
    );
  }
  return { kind: 'command', command: text };
}

/** Path of the topology that a directory has for the experiment, undefined when it has none. */
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

/** Its path from the working directory; of a file outside, its name. */
function fromHere(file: string): string {
  const path = relative('.', file);
  return path.startsWith('..') || isAbsolute(path) ? basename(file) : path;
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Whether the shell, which is to run it, finds it. */
async function isProgram(word: string): Promise<boolean> {
  const { programOutput } = await import('@topo-bench/host');
  return (await programOutput('sh', ['-c', 'command -v "$1"', 'sh', word])) !== undefined;
}

export function refError(message: string, hint: string): TopoBenchError {
  return new TopoBenchError('TB_GATE_REF', message, { hint });
}
