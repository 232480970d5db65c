/**
 * Overrides of an experiment: topology fields that it sets, and the levels of its factors. They are applied before the
 * schema reads the file. Overrides are therefore checked like user-supplied input.
 */
import {
  architectures,
  architectureTable,
  exampleLevels,
  factorNames,
  factorPath,
  factorRow,
  parseArchitectureLevel,
  shortFactorName,
  suggestName,
  TopoBenchError,
} from '@topo-bench/core';
import { experimentFile } from '@topo-bench/core/schema/experiment';
import { topologyFile } from '@topo-bench/core/schema/topology';
import { parseOverridePath, setByPath } from './override-paths.ts';
import { fieldsAt, knownSteps } from './schema-fields.ts';
import { withServiceCount } from './service-count.ts';

export interface Overrides {
  /** Fields by path or short name, e.g. `{ 'deadlines.hop': '120s', routers: 2 }`. Applied first, in order. */
  readonly set?: Readonly<Record<string, unknown>>;
  /**
   * One level of each factor. A factor is a short name (`@topo-bench/core/factors`) or the path of a topology field,
   * with or without the prefix `topology.`. Factors of the experiment (`rate`, `load.driver`) are ignored.
   */
  readonly factors?: Readonly<Record<string, unknown>>;
}

/** Prefix of a path that refers to a field of every service. */
const everyService = 'services[*].';

/** Factors whose levels set more than one field. */
const appliers: Readonly<Record<string, (topology: Record<string, unknown>, level: unknown) => void>> = {
  architecture: setArchitecture,
  services: (topology, level) => {
    topology.services = withServiceCount(topology, level);
  },
  delay: (topology, level) => setInEach(topology, 'delay', level, 'links', linkPaths(topology)),
  payload: (topology, level) => setInEach(topology, 'payload', level, 'payload fields', payloadPaths(topology)),
};

/**
 * Returns a copy of the input with the overrides applied.
 * @param input a topology as plain data, not yet read by the schema
 * @throws TopoBenchError `TB_OVERRIDE_UNKNOWN_FIELD`, `TB_OVERRIDE_INVALID`
 */
export function applyOverrides(input: unknown, { set = {}, factors = {} }: Overrides): unknown {
  // The schema rejects input that is not a map, with its usual message.
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const result = structuredClone(input) as Record<string, unknown>;
  for (const [path, value] of Object.entries(set)) setField(result, path, value);
  for (const [name, level] of Object.entries(factors)) applyFactor(result, name, level);
  return result;
}

/** A list of services is the field itself; their number is the short name. */
function setField(topology: Record<string, unknown>, name: string, value: unknown): void {
  if (factorRow(name)?.scope === 'topology' && !Array.isArray(value)) applyFactor(topology, name, value);
  else setByPath(topology, name, value);
}

function applyFactor(topology: Record<string, unknown>, name: string, level: unknown): void {
  if (factorScope(name) !== 'topology') return;
  requireField(name);
  const apply = appliers[shortFactorName(name.replace(/^topology\./, ''))];
  const path = factorPath(name);
  if (apply) apply(topology, level);
  else if (path.startsWith(everyService)) setInServices(topology, name, path.slice(everyService.length), level);
  else setByPath(topology, path, level);
}

/** @throws TopoBenchError `TB_OVERRIDE_UNKNOWN_FIELD` for a name that begins like no field and is no short name */
function requireField(name: string): void {
  if (beginsLikeField(name)) return;
  const known = [...factorNames(), ...fieldsAt(experimentFile(), []), ...fieldsAt(topologyFile, [])];
  throw new TopoBenchError('TB_OVERRIDE_UNKNOWN_FIELD', `neither experiment nor topology has a field "${name}"`, {
    hint: suggestName(firstStep(name), [...new Set(known)], 'fields'),
  });
}

function beginsLikeField(name: string): boolean {
  if (factorRow(name) || name.startsWith('topology.')) return true;
  return [experimentFile(), topologyFile].some((schema) => fieldsAt(schema, []).includes(firstStep(name)));
}

/** Whether a name is meant as a field: a path, a short name, or the start of a path. */
export function isFieldName(name: string): boolean {
  return /[.[]/.test(name) || beginsLikeField(name);
}

/**
 * The factor of that name in a topology without an experiment. A name that both have is then that of the topology.
 * @throws TopoBenchError `TB_OVERRIDE_UNKNOWN_FIELD`; `TB_OVERRIDE_INVALID` for a field that only experiments have
 */
export function topologyFactor(name: string): string {
  const row = factorRow(name);
  if (row?.scope === 'topology' || name.startsWith('topology.')) return name;
  const ofTopology = fieldsAt(topologyFile, []);
  if (!row && ofTopology.includes(firstStep(name))) return `topology.${name}`;
  if (row || fieldsAt(experimentFile(), []).includes(firstStep(name))) {
    throw new TopoBenchError('TB_OVERRIDE_INVALID', `${name} is a field of experiments, and no field of the topology`, {
      hint: `leave it out, or choose it for an experiment: topo-bench run EXPERIMENT --set ${name}=…`,
    });
  }
  const short = factorNames().filter((factor) => factorRow(factor)?.scope === 'topology');
  throw new TopoBenchError('TB_OVERRIDE_UNKNOWN_FIELD', `a topology has no field "${name}"`, {
    hint: suggestName(firstStep(name), [...new Set([...short, ...ofTopology])], 'fields'),
  });
}

function firstStep(name: string): string {
  return String(parseOverridePath(name)[0]);
}

/**
 * Whether a factor varies the topology or the experiment around it.
 * @throws TopoBenchError `TB_OVERRIDE_UNKNOWN_FIELD` when neither has the field
 */
export function factorScope(name: string): 'topology' | 'experiment' {
  const row = factorRow(name);
  if (row) return row.scope;
  if (name.startsWith('topology.')) return 'topology';
  const path = parseOverridePath(name);
  if (knownSteps(experimentFile(), path) === path.length) return 'experiment';
  const isExperiment = fieldsAt(experimentFile(), []).includes(String(path[0]));
  if (!isExperiment) return 'topology';
  throw new TopoBenchError('TB_OVERRIDE_UNKNOWN_FIELD', `an experiment has no field "${name}"`, {
    hint: suggestName(String(path.at(-1)), fieldsAt(experimentFile(), path.slice(0, -1)), 'fields'),
  });
}

function setArchitecture(topology: Record<string, unknown>, level: unknown): void {
  const text = String(level);
  const parsed = parseArchitectureLevel(text);
  if (!parsed) {
    throw new TopoBenchError('TB_OVERRIDE_INVALID', `no architecture is named ${JSON.stringify(text)}`, {
      hint: suggestName(text, [...new Set([...architectures, ...exampleLevels(3)])], 'architectures'),
    });
  }
  const { architecture, count } = parsed;
  setByPath(topology, 'enforcement.architecture', architecture);
  if (count !== undefined) setByPath(topology, `enforcement.${architectureTable[architecture].count}`, count);
}

/** @throws TopoBenchError `TB_OVERRIDE_INVALID` when the topology has none of them */
function setInEach(
  topology: Record<string, unknown>,
  factor: string,
  level: unknown,
  kind: string,
  paths: readonly string[],
): void {
  if (paths.length === 0) {
    throw new TopoBenchError('TB_OVERRIDE_INVALID', `${factor}: the topology has no ${kind}`, {
      hint: `give it ${kind}, whose ${factor === 'delay' ? 'delay' : 'size'} the levels replace`,
    });
  }
  for (const path of paths) setByPath(topology, path, level);
}

function linkPaths({ links }: Record<string, unknown>): string[] {
  return Array.isArray(links) ? links.map((_, at) => `links[${at}].delay`) : [];
}

/** Paths in all request classes that the topology names. */
function payloadPaths({ requests }: Record<string, unknown>): string[] {
  const { classes } = (requests ?? {}) as { classes?: unknown };
  const list: readonly unknown[] = Array.isArray(classes) ? classes : [];
  return list.flatMap((one, at) => {
    const { payload } = (one ?? {}) as { payload?: unknown };
    return Object.keys(payload ?? {}).map((field) => `requests.classes[${at}].payload.${field}.size`);
  });
}

/** @param field path in a service; set only if the parent object exists */
function setInServices(topology: Record<string, unknown>, factor: string, field: string, level: unknown): void {
  const indexes = servicesWith(topology, field.split('.').slice(0, -1));
  const { problem = 'the topology has no list of services', hint = 'give it services' } =
    factorRow(factor)?.needs ?? {};
  if (indexes.length === 0) throw new TopoBenchError('TB_OVERRIDE_INVALID', `${factor}: ${problem}`, { hint });
  for (const index of indexes) setByPath(topology, `services[${index}].${field}`, level);
}

/** Indexes of the services that have a field at that path. */
function servicesWith(topology: Record<string, unknown>, path: readonly string[]): number[] {
  const services: readonly unknown[] = Array.isArray(topology.services) ? topology.services : [];
  const hasField = (service: unknown): boolean => {
    const value = path.reduce<unknown>(
      (at, step) => (at as Record<string, unknown> | null | undefined)?.[step],
      service,
    );
    return value !== undefined;
  };
  return [...services.keys()].filter((index) => hasField(services[index]));
}
