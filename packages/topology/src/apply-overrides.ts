/**
 * Overrides of an experiment: fields of a topology that it sets, and the levels of its factors. Applied to the file as
 * it was written, before the schema reads it, so that overrides are checked like anything a user writes.
 */
import { TopoBenchError } from '@topo-bench/core';
import { architectures, architectureTable, exampleLevels, parseArchitectureLevel } from '@topo-bench/core/architectures';
import { experimentFile, type FactorLevel } from '@topo-bench/core/schema/experiment';
import { suggestName } from './nearest-name.ts';
import { parseOverridePath, setByPath } from './override-paths.ts';
import { fieldsAt, knownSteps } from './schema-fields.ts';
import { withServiceCount } from './service-count.ts';

export interface Overrides {
  /** Fields by path, e.g. `{ 'deadlines.hop': '120s' }`. Applied first, in order. */
  readonly set?: Readonly<Record<string, unknown>>;
  /**
   * One level of each factor. Short names are `architecture` (`dynamic-router-3` sets `routers` too), `services`,
   * `engine`, `style`, `framework`, `placement`, `store` (of every service that keeps data), `tls` (of every service that can serve it); other
   * topology fields by path, with or without `topology.` before it. Factors of the experiment (`rate`, `load.driver`) are passed over.
   */
  readonly factors?: Readonly<Record<string, FactorLevel>>;
}

const shortNames: Readonly<Record<string, string>> = {
  engine: 'enforcement.engine',
  style: 'enforcement.style',
  framework: 'framework',
  placement: 'placement',
};

/** Short names of fields of the experiment, with their paths. */
export const experimentShortNames: Readonly<Record<string, string>> = {
  rate: 'load.rate',
  connections: 'load.connections',
  workload: 'persistence.workload',
  protocol: 'flight.protocol',
  operation: 'flight.operation',
  streams: 'flight.streams',
  rows: 'flight.rows',
  batchRows: 'flight.batchRows',
};

/**
 * A copy of the input with the overrides applied.
 * @param input a topology as written: plain data, not yet read by the schema
 * @throws TopoBenchError `TB_OVERRIDE_UNKNOWN_FIELD`, `TB_OVERRIDE_INVALID`
 */
export function applyOverrides(input: unknown, { set = {}, factors = {} }: Overrides): unknown {
  // What is no map is for the schema to refuse, in the words it has for any file.
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const result = structuredClone(input) as Record<string, unknown>;
  for (const [path, value] of Object.entries(set)) setByPath(result, path, value);
  for (const [name, level] of Object.entries(factors)) applyFactor(result, name, level);
  return result;
}

function applyFactor(topology: Record<string, unknown>, name: string, level: FactorLevel): void {
  if (name === 'architecture') setArchitecture(topology, level);
  else if (name === 'services') topology.services = withServiceCount(topology, level);
  else if (name === 'store') setStore(topology, level);
  else if (name === 'tls') setTls(topology, level);
  else if (factorScope(name) === 'topology') setByPath(topology, shortNames[name] ?? withoutPrefix(name), level);
}

/** Factors whose levels mean more than the value of one field. */
const ownLevels = new Set(['architecture', 'services', 'store', 'tls']);

/**
 * Whether a factor varies the topology or the experiment around it.
 * @throws TopoBenchError `TB_OVERRIDE_UNKNOWN_FIELD` when it is a field of neither
 */
export function factorScope(name: string): 'topology' | 'experiment' {
  if (Object.hasOwn(experimentShortNames, name)) return 'experiment';
  if (ownLevels.has(name) || Object.hasOwn(shortNames, name) || name.startsWith('topology.')) return 'topology';
  const path = parseOverridePath(name);
  if (knownSteps(experimentFile, path) === path.length) return 'experiment';
  const isExperiment = fieldsAt(experimentFile, []).includes(String(path[0]));
  if (!isExperiment) return 'topology';
  throw new TopoBenchError('TB_OVERRIDE_UNKNOWN_FIELD', `an experiment has no field "${name}"`, {
    hint: suggestName(String(path.at(-1)), fieldsAt(experimentFile, path.slice(0, -1)), 'fields'),
  });
}

function setArchitecture(topology: Record<string, unknown>, level: FactorLevel): void {
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

/** Of every service that keeps data. */
function setStore(topology: Record<string, unknown>, level: FactorLevel): void {
  const keepers = servicesWith(topology, ['persistence']);
  if (keepers.length === 0) {
    throw new TopoBenchError('TB_OVERRIDE_INVALID', 'store: no service of the topology keeps data', {
      hint: 'give one `persistence: { store: sql-indexed }`',
    });
  }
  for (const index of keepers) setByPath(topology, `services[${index}].persistence.store`, level);
}

/** Of every service that has certificates. */
function setTls(topology: Record<string, unknown>, level: FactorLevel): void {
  const withCertificates = servicesWith(topology, ['arrow', 'flight', 'tls']);
  if (withCertificates.length === 0) {
    throw new TopoBenchError('TB_OVERRIDE_INVALID', 'tls: no service of the topology has certificates for Flight', {
      hint: 'give one `arrow: { flight: { tls: { certificate: cert.pem, key: key.pem } } }`',
    });
  }
  for (const index of withCertificates) setByPath(topology, `services[${index}].arrow.flight.tls.enabled`, level);
}

/** Indexes of the services that have a field at that path. */
function servicesWith(topology: Record<string, unknown>, path: readonly string[]): number[] {
  const services: readonly unknown[] = Array.isArray(topology.services) ? topology.services : [];
  const hasField = (service: unknown): boolean => {
    const value = path.reduce<unknown>((at, step) => (at as Record<string, unknown> | null | undefined)?.[step], service);
    return value !== undefined;
  };
  return [...services.keys()].filter((index) => hasField(services[index]));
}

function withoutPrefix(name: string): string {
  return name.replace(/^topology\./, '');
}
