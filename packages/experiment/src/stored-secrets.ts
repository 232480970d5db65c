/**
 * Secrets are not stored in a run folder, because people share it: values of environment variables of user-supplied
 * services, passwords and tokens in addresses. A resumed run reads the variables from its original files.
 */
import { TopoBenchError, withoutCredentials } from '@topo-bench/core';
import type { RunRecord } from '@topo-bench/core/schema/result';
import { withoutPasswords } from '@topo-bench/stores/servers/connection-strings';
import { type Path, replaceScalars, type SourceText } from '@topo-bench/topology';
import { type ExperimentInputs, readText } from './read-inputs.ts';

/** Placeholder of a value. */
const notStored = '<not stored>';

/** Path of a variable of a service: in a topology, below `set` of an experiment, or on the command line. */
const variablePath = /(^|\.)services\.[^.]+\.env\.[^.]+$/;
/** The same as an argument `path=value`, also of the whole map. */
const variableArgument = /^((?:--set=)?[\w.-]*\bservices[.[][^=]*\benv\b[^=]*=).*$/s;

/** The record as it is stored. */
export function withoutSecrets(record: RunRecord): RunRecord {
  const { inputs, experiment, topology, command, ...rest } = record;
  const stored = {
    ...rest,
    command: command.map((word) => word.replace(variableArgument, `$1${notStored}`)),
    experiment: withoutVariables(experiment),
    topology: withoutVariables(topology),
    ...(inputs !== undefined && { inputs: inputsWithoutVariables(inputs as ExperimentInputs) }),
  };
  const text = JSON.stringify(stored, (_, value: unknown) =>
    typeof value === 'string' ? withoutSecretsOfAddresses(value) : value,
  );
  return JSON.parse(text) as RunRecord;
}

/**
 * The inputs of a recorded run with the secrets, from the current files.
 * @throws TopoBenchError `TB_RUN_SECRET_MISSING` if a file is missing or has changed, or the value came from no file
 */
export async function withSecrets(inputs: ExperimentInputs): Promise<ExperimentInputs> {
  if (JSON.stringify(inputs.choices).includes(notStored)) {
    throw missing(
      'a variable of a service was given with --set',
      'start a new run, or write the variable in the topology file',
    );
  }
  const { experiment, topology } = inputs;
  return {
    ...inputs,
    experiment: await withVariables(experiment),
    ...(topology && { topology: await withVariables(topology) }),
  };
}

async function withVariables(stored: SourceText): Promise<SourceText> {
  if (!stored.text.includes(notStored)) return stored;
  const hint =
    'go on in the folder that the run was started in, with the file as it was; only values of `env` may differ';
  const now = await readText(stored.file).catch((cause: TopoBenchError) => {
    throw missing(`${stored.file} is to be read again for its variables, and ${cause.message}`, hint);
  });
  if (withoutSecretsOfAddresses(textWithoutVariables(now).text) === stored.text) return now;
  throw missing(`${stored.file} is to be read again for its variables, and has changed since`, hint);
}

function missing(why: string, hint: string): TopoBenchError {
  return new TopoBenchError('TB_RUN_SECRET_MISSING', `a run folder has no values of \`env\`: ${why}`, { hint });
}

function inputsWithoutVariables(inputs: ExperimentInputs): ExperimentInputs {
  const { experiment, topology, choices } = inputs;
  return {
    ...inputs,
    experiment: textWithoutVariables(experiment),
    ...(topology && { topology: textWithoutVariables(topology) }),
    choices: withoutVariables(choices),
  };
}

function textWithoutVariables({ text, file }: SourceText): SourceText {
  return { file, text: replaceScalars(text, isVariable, notStored) };
}

/** Plain data with the placeholder in place of every variable. */
function withoutVariables<T>(value: T, path: Path = []): T {
  if (typeof value !== 'object' || value === null) return isVariable(path) ? (notStored as T) : value;
  if (Array.isArray(value)) return value.map((entry, index) => withoutVariables(entry, [...path, index])) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, withoutVariables(entry, [...path, key])]),
  ) as T;
}

/** Keys may be paths themselves: `services.pricing.env.API_KEY`, `services[0].env`. */
function isVariable(path: Path): boolean {
  return variablePath.test(path.join('.').replaceAll(/\[(\w+)\]/g, '.$1'));
}

/** The user of a database is kept: it identifies the set-up. */
function withoutSecretsOfAddresses(text: string): string {
  return withoutCredentials(withoutPasswords(text));
}
