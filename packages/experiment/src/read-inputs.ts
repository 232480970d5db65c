/**
 * The source texts of a run: experiment, topology, rules, and the choices of the command line. The run folder keeps
 * them verbatim, so a run can continue after its files have changed.
 */
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { parseSource, rulesPath, type SourceText } from '@topo-bench/topology';
import type { Admit, InputFiles, Study } from '@topo-bench/trial';
import type { Choices } from './choices.ts';
import { type ReadText, readText } from './input-file.ts';
import { levelFields } from './named-levels.ts';
import { choiceError } from './refuse-choices.ts';

export type { Choices } from './choices.ts';
export { type ReadText, readText, shownPath, textsByName } from './input-file.ts';

export interface ExperimentInputs {
  experiment: SourceText;
  /** Absent if the experiment names none; the check reports where that is a problem. */
  topology?: SourceText;
  rules?: SourceText;
  /** By path as written: rule files of events, or that are levels of a factor or chosen on the command line. */
  otherRules?: Readonly<Record<string, SourceText>>;
  /** Files that only one kind of study reads; absent if the experiment names none. */
  files?: InputFiles;
  choices: Choices;
  /** In a recorded run: parts whose passwords in addresses were not stored. */
  withoutPasswords?: readonly InputPart[];
}

/** Parts that may contain secrets. */
export type InputPart = 'experiment' | 'topology' | 'choices';

/**
 * Reads the experiment file and the files that it names. Paths are relative to the file that contains them.
 * @param studies kinds of study, which can read files of their own
 * @param read default: from the disk
 * @param admit asked about each file that a kind of study reads itself
 * @throws TopoBenchError `TB_FILE_NOT_FOUND`; as `StudyInput.read`
 */
export async function readInputs(
  file: string,
  choices: Choices = {},
  studies: readonly Study[] = [],
  read: ReadText = readText,
  admit?: Admit,
): Promise<ExperimentInputs> {
  const experiment = await read(file);
  const fields = fieldsOf(experiment);
  const files = await readFilesOf(studies, experiment, choices, admit);
  const own = { experiment, ...(files && { files }) };
  const chosen = choices.set?.topology ?? fields.topology;
  if (typeof chosen !== 'string') return { ...own, choices };
  const topologyFile = resolve(dirname(file), chosen);
  const topology = await (choices.set?.topology === undefined
    ? read(topologyFile, file)
    : readChosen('topology', chosen, topologyFile, file, read));
  const rules = await readRulesOf(topology, topologyFile, fields.set, read);
  const rulesFile = (path: string): string => resolve(dirname(topologyFile), path);
  const { locate } = parseSource(experiment);
  const readNamed = async ({ path, place }: NamedRules): Promise<readonly [string, SourceText]> => {
    const text = await read(rulesFile(path), file).catch(({ code, message, cause }: TopoBenchError) => {
      throw new TopoBenchError(code, message, { cause, ...(place && { location: locate(place) }) });
    });
    return [path, text];
  };
  const others = await Promise.all([
    ...[...rulesOfEvents(fields, choices), ...rulesOfFactors(fields.factors)].map(readNamed),
    ...namedRules(choices.set).map(
      async (path) => [path, await readChosen('rules', path, rulesFile(path), topologyFile, read)] as const,
    ),
  ]);
  const otherRules = others.length > 0 ? { otherRules: Object.fromEntries(others) } : {};
  return { ...own, topology, ...(rules && { rules }), ...otherRules, choices };
}

/** Those of the first kind of study that finds its own in the experiment. */
async function readFilesOf(
  studies: readonly Study[],
  experiment: SourceText,
  { set = {} }: Choices,
  admit: Admit | undefined,
): Promise<InputFiles | undefined> {
  for (const { input } of studies) {
    const files = await input?.read(experiment, set, admit);
    if (files) return files;
  }
  return undefined;
}

/** Names of the factor whose levels are rule files. */
const rulesNames = ['rules', 'topology.rules'];

/** The rule file of these levels; undefined where they name none. */
export function rulesLevel(levels: Readonly<Record<string, unknown>>): string | undefined {
  return namedRules(levels).at(-1);
}

function namedRules(levels: unknown): string[] {
  const values = Object.entries((levels ?? {}) as Record<string, unknown>).filter(([name]) =>
    rulesNames.includes(name),
  );
  return values.flatMap(([, value]) => value).filter((value) => typeof value === 'string');
}

type Place = readonly (string | number)[];

/** A rule file, and the field of the experiment that names it; absent for a choice. */
interface NamedRules {
  path: string;
  place?: Place;
}

/** Rule files in levels of factors. */
function rulesOfFactors(factors: unknown): NamedRules[] {
  return levelFields(factors).flatMap(({ field, value, path: place }) =>
    rulesNames.includes(field) && typeof value === 'string' ? [{ path: value, place }] : [],
  );
}

/** Rule files that events name: in the experiment, in levels of factors, or chosen. */
function rulesOfEvents({ events, factors }: Record<string, unknown>, { set = {} }: Choices): NamedRules[] {
  const levels = levelFields(factors).filter(({ field }) => field === 'events');
  const ofLevels = levels.flatMap(({ value, path }) => placed(value, path));
  const all = [...placed(events, ['events']), ...ofLevels, ...placed(set.events)];
  return all.flatMap(({ value, ...place }) => rulesOfEvent(value).map((path) => ({ path, ...place })));
}

function rulesOfEvent(event: unknown): string[] {
  if (typeof event === 'string')
    return [...event.matchAll(/(?:^|;)\s*\S+\s+rules\s+([^\s;]+)/g)].map(([, path]) => path as string);
  const path = (event as { rules?: unknown } | null | undefined)?.rules;
  return typeof path === 'string' ? [path] : [];
}

/** The entries of a list, or one value. @param field without it they have no place */
function placed(value: unknown, field?: Place): { value: unknown; place?: Place }[] {
  if (!field) return [value].flat().map((one) => ({ value: one }));
  if (!Array.isArray(value)) return [{ value, place: field }];
  return value.map((one, index) => ({ value: one, place: [...field, index] }));
}

/** The rule file that a topology names, read; undefined when it names none. */
export async function readRulesOf(
  topology: SourceText,
  topologyFile: string,
  set: unknown = {},
  read: ReadText = readText,
): Promise<SourceText | undefined> {
  const overrides = typeof set === 'object' && set !== null && 'rules' in set ? { set: { rules: set.rules } } : {};
  const path = rulesPath(topology, overrides);
  return path === undefined ? undefined : read(resolve(dirname(topologyFile), path), topologyFile);
}

/**
 * Reads a file that a choice of the command line names.
 * @param from file whose folder the name is relative to
 * @throws TopoBenchError `TB_FILE_NOT_FOUND`
 */
export async function readChosen(
  name: string,
  chosen: string,
  file: string,
  from: string,
  read: ReadText = readText,
): Promise<SourceText> {
  return read(file).catch((error: TopoBenchError) => {
    const { code, message } = error;
    const hint = isAbsolute(chosen) ? undefined : `the name is relative to the folder of ${relative('.', from)}`;
    throw choiceError({ name, value: chosen, fault: { code, message, ...(hint !== undefined && { hint }) } });
  });
}

function fieldsOf(source: SourceText): Record<string, unknown> {
  const { value } = parseSource(source);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
