/**
 * Secrets are not stored in a run folder, because people share it: values of environment variables of user-supplied
 * services, passwords and tokens in addresses. A resumed run reads them from its original files.
 */
import { isDeepStrictEqual } from 'node:util';
import { TopoBenchError, withoutCredentials } from '@topo-bench/core';
import type { RunRecord } from '@topo-bench/core/schema/result';
import { engines } from '@topo-bench/stores/engines';
import {
  enginesOfAddresses,
  namedServer,
  type ServerUrls,
  withoutPasswords,
} from '@topo-bench/stores/servers/connection-strings';
import { type Path, replaceScalars, type SourceText } from '@topo-bench/topology';
import { type ExperimentInputs, type InputPart, readText } from './read-inputs.ts';

/** Placeholder of a value. */
export const notStored = '<not stored>';
/** In place of user and password of a web address. */
const credentialsMark = '***@';

/** Path of a variable of a service: in a topology, below `set` of an experiment, or on the command line. */
const variablePath = /(^|\.)services\.[^.]+\.env\.[^.]+$/;
/** The same as an argument `path=value`: of one variable, of the map, or of services with their maps. */
const variableArgument = /^(?=.*\bservices\b.*\benv\b)((?:--set=)?[^=]+=).*$/s;

/** The record as it is stored. */
export function withoutSecrets(record: RunRecord): RunRecord {
  const { inputs, experiment, topology, command, ...rest } = record;
  const stored = {
    ...rest,
    command: command.map(argumentWithoutSecrets),
    experiment: withoutVariables(experiment),
    topology: withoutVariables(topology),
    ...(inputs !== undefined && { inputs: inputsWithoutVariables(inputs as ExperimentInputs) }),
  };
  return withoutAddressSecrets(stored) as RunRecord;
}

/** A word of a command line as it may be stored: without the value of a variable, user and password of an address. */
export function argumentWithoutSecrets(word: string): string {
  return withoutSecretsOfAddresses(word.replace(variableArgument, `$1${notStored}`));
}

/**
 * The inputs of a recorded run with the secrets, from the current files. A password of an address is not needed where
 * a flag or a variable names the server instead.
 * @param flags connection strings from flags
 * @throws TopoBenchError `TB_RUN_SECRET_MISSING` if a file is missing or has changed, or the value came from no file
 */
export async function withSecrets(inputs: ExperimentInputs, flags: ServerUrls = {}): Promise<ExperimentInputs> {
  const { experiment, topology, choices, withoutPasswords: parts = [] } = inputs;
  if (JSON.stringify(choices).includes(notStored)) {
    throw missing(
      'a variable of a service was given with --set',
      'start a new run, or write the variable in the topology file',
    );
  }
  const needed = parts.filter((part) => !isNamedOtherwise(JSON.stringify(inputs[part]), flags));
  if (needed.includes('choices')) {
    throw missing('a password was given with --set', `start a new run, or name the server with ${flagsOf(choices)}`);
  }
  return {
    ...inputs,
    experiment: await restored(experiment, needed.includes('experiment')),
    ...(topology && { topology: await restored(topology, needed.includes('topology')) }),
  };
}

/** Flags or variables name the servers of all database addresses, and there are no addresses of the web. */
function isNamedOtherwise(text: string, flags: ServerUrls): boolean {
  const named = enginesOfAddresses(text).map((engine) => namedServer(engine, { flag: flags[engine] }));
  return named.length > 0 && named.every((server) => server !== undefined) && !text.includes(credentialsMark);
}

function flagsOf(choices: unknown): string {
  const flags = enginesOfAddresses(JSON.stringify(choices)).map((engine) => engines[engine].flag);
  return flags.length === 0 ? 'a file' : flags.join(' and ');
}

async function restored(stored: SourceText, lacksPassword: boolean): Promise<SourceText> {
  if (!lacksPassword && !stored.text.includes(notStored)) return stored;
  const hint = 'resume in the folder that the run was started in, with the file as it was; only secrets may differ';
  const now = await readText(stored.file).catch((cause: TopoBenchError) => {
    throw missing(`${stored.file} is to be read again for its secrets, and ${cause.message}`, hint);
  });
  if (withoutSecretsOfAddresses(textWithoutVariables(now).text) === stored.text) return now;
  throw missing(`${stored.file} is to be read again for its secrets, and has changed since`, hint);
}

function missing(why: string, hint: string): TopoBenchError {
  return new TopoBenchError('TB_RUN_SECRET_MISSING', `a run folder has no secrets: ${why}`, { hint });
}

function inputsWithoutVariables(inputs: ExperimentInputs): ExperimentInputs {
  const { experiment, topology, choices } = inputs;
  return {
    ...inputs,
    experiment: textWithoutVariables(experiment),
    ...(topology && { topology: textWithoutVariables(topology) }),
    choices: withoutVariables(choices),
    ...passwordParts(inputs),
  };
}

/** A part that was restored without its password lacks it in the next record too. */
function passwordParts(inputs: ExperimentInputs): Pick<ExperimentInputs, 'withoutPasswords'> {
  const lacks = (part: InputPart): boolean => !isDeepStrictEqual(withoutAddressSecrets(inputs[part]), inputs[part]);
  const all = (['experiment', 'topology', 'choices'] as const).filter(
    (part) => inputs.withoutPasswords?.includes(part) || lacks(part),
  );
  return all.length > 0 ? { withoutPasswords: all } : {};
}

function withoutAddressSecrets(value: unknown): unknown {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'string' ? withoutSecretsOfAddresses(one) : one,
  );
  return JSON.parse(text);
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
