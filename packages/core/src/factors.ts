/**
 * The factors of experiments that have a short name: one row each, for overrides, factor names, cells and texts. Kinds
 * of study add their own. Any other field is a factor by its path, e.g. `load.driver` or `topology.deadlines.hop`.
 */
import { TopoBenchError } from './errors.ts';

/** One level of a factor. */
export type FactorLevel = string | number | boolean;

export interface FactorRow {
  /** The part of an experiment that it varies. */
  scope: 'topology' | 'experiment';
  /**
   * Field that it sets. `services[*]` means every service that has the object around the field. Absent where a level
   * sets several values; `packages/topology/src/apply-overrides.ts` then applies it.
   */
  path?: string;
  /** Problem and hint for a topology in which no service has the object around the field. */
  needs?: { problem: string; hint: string };
  /** Unit of its levels, in texts and as the heading of a column. */
  unit?: string;
  /** Text of a level within a sentence; default: name and level, or level and unit. */
  describe?: (level: FactorLevel) => string;
  /** Counted by its levels, after a number: `one more router`. */
  counted?: { one: string; many: string };
  /** Measured by its levels, after an amount: `10 ms more delay`. Default: the last two words of its path. */
  measured?: string;
  /** Levels change the load and not the work of a request. */
  isLoad?: true;
}

/** Fields of the topology, and of every experiment. */
const commonFactors: Readonly<Record<string, FactorRow>> = {
  architecture: { scope: 'topology', path: 'enforcement.architecture', describe: String },
  services: {
    scope: 'topology',
    describe: (level) => `${level} ${level === 1 ? 'service' : 'services'}`,
    counted: { one: 'service', many: 'services' },
  },
  rate: { scope: 'experiment', path: 'load.rate', unit: 'req/s', isLoad: true },
  connections: { scope: 'experiment', path: 'load.connections', isLoad: true },
  rulesPerService: {
    scope: 'topology',
    path: 'defaults.rules.generate',
    describe: (level) => `${level} ${level === 1 ? 'rule' : 'rules'} per service`,
    counted: { one: 'rule per service', many: 'rules per service' },
  },
  routers: {
    scope: 'topology',
    path: 'enforcement.routers',
    describe: (level) => `${level} ${level === 1 ? 'router' : 'routers'}`,
    counted: { one: 'router', many: 'routers' },
  },
  replicas: {
    scope: 'topology',
    path: 'enforcement.replicas',
    describe: (level) => `${level} ${level === 1 ? 'replica' : 'replicas'}`,
    counted: { one: 'replica', many: 'replicas' },
  },
  spread: { scope: 'topology', path: 'enforcement.spread' },
  work: { scope: 'topology', path: 'defaults.work', measured: 'work per step' },
  delay: {
    scope: 'topology',
    describe: (level) => `delay of ${level} per link`,
    measured: 'delay per link',
  },
  payload: {
    scope: 'topology',
    describe: (level) => `payload of ${level} per field`,
    measured: 'payload per field',
  },
  generators: {
    scope: 'experiment',
    path: 'load.generators',
    describe: (level) => `${level} load ${level === 1 ? 'generator' : 'generators'}`,
  },
  engine: { scope: 'topology', path: 'enforcement.engine' },
  style: { scope: 'topology', path: 'enforcement.style' },
  framework: { scope: 'topology', path: 'framework' },
  placement: { scope: 'topology', path: 'placement' },
  store: {
    scope: 'topology',
    path: 'services[*].persistence.store',
    needs: { problem: 'no service of the topology keeps data', hint: 'give one `persistence: { store: sql-indexed }`' },
  },
  tls: {
    scope: 'topology',
    path: 'services[*].arrow.flight.tls.enabled',
    needs: {
      problem: 'no service of the topology has certificates for Flight',
      hint: 'give one `arrow: { flight: { tls: { certificate: cert.pem, key: key.pem } } }`',
    },
  },
  runner: { scope: 'experiment', path: 'runner' },
};

const table = new Map(Object.entries(commonFactors));

/**
 * Adds the factors of a kind of study.
 * @throws TopoBenchError `TB_INTERNAL` for a short name that exists already
 */
export function addFactors(rows: Readonly<Record<string, FactorRow>>): void {
  for (const [name, row] of Object.entries(rows)) {
    if (table.has(name)) throw new TopoBenchError('TB_INTERNAL', `two factors have the short name "${name}"`);
    table.set(name, row);
  }
}

/** The short names of all factors: the common ones first, then those of studies by name. */
export function factorNames(): string[] {
  const common = Object.keys(commonFactors);
  return [...common, ...[...table.keys()].filter((name) => !common.includes(name)).sort()];
}

/** The row of a factor under its short name; undefined for a field by path. */
export function factorRow(name: string): FactorRow | undefined {
  return table.get(name);
}

/** The path of the field that a factor sets, without `topology.`; its name when it has no path. */
export function factorPath(name: string): string {
  return factorRow(name)?.path ?? name.replace(/^topology\./, '');
}

/** The short name of a factor, or its name when it has none. */
export function shortFactorName(name: string): string {
  const field = name.replace(/^topology\./, '');
  return [...table].find(([, { path }]) => path !== undefined && isField(path, field))?.[0] ?? name;
}

/** With a named service in place of all: `services.items.persistence.store` is the field of the factor `store`. */
function isField(path: string, field: string): boolean {
  const [start, end] = path.split('[*]') as [string, string?];
  if (end === undefined) return field === start;
  return field.startsWith(start) && field.endsWith(end) && /^\W.+$/.test(field.slice(start.length, -end.length));
}

/** The factor in the list that a name refers to; undefined when there is none. */
export function factorNamed(name: string, factors: readonly string[]): string | undefined {
  if (factors.includes(name)) return name;
  return factors.find((factor) => shortFactorName(factor) === shortFactorName(name));
}

/**
 * Whether a varied factor is a question of its own. Rate and number of services are mostly settings in which another
 * factor is compared.
 */
export function isQuestion(name: string): boolean {
  return shortFactorName(name) !== 'services' && factorRow(shortFactorName(name))?.isLoad !== true;
}

/** Name of a factor in words, within a title: `rate`, `rules per service`, `hop deadline`; never a path. */
export function factorWords(name: string): string {
  const short = shortFactorName(name);
  const { counted, measured } = factorRow(short) ?? {};
  return counted?.many ?? measured ?? wordsOf(factorRow(short) ? short : factorPath(name));
}

/** A field of one service, node or request class, by the name of that entry. */
const fieldOfEntry = /^(?:services|nodes|requests\.classes)\.(?<entry>[A-Za-z][^.[]*)\.(?<field>.+)$/;

/** The last two names of a path as words, without indexes: `load driver`, `batch rows`; or `seats of booking`. */
function wordsOf(path: string): string {
  const { entry, field: ofEntry } = fieldOfEntry.exec(path)?.groups ?? {};
  // The size of a field of a payload goes by the name of that field.
  if (entry !== undefined && ofEntry !== undefined)
    return `${wordsOf(ofEntry.replace(/^payload\.|\.size$|(?<=^rules)\.generate$/g, ''))} of ${entry}`;
  const names = path.split(/\W+/).filter((part) => part !== '' && !/^\d+$/.test(part));
  const [group, field] = names.slice(-2);
  const text = group === 'deadlines' && field !== undefined ? `${field} deadline` : names.slice(-2).join(' ');
  return text.replaceAll(/([a-z\d])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
}

/** Unit of the levels of a factor, or its name in words, as a column heading. */
export function factorHeading(name: string): string {
  return factorRow(shortFactorName(name))?.unit ?? factorWords(name);
}

/** A level within a sentence: `100 req/s`, `5 services`, `hop deadline 1s`, `seats of booking: 20KB`. */
export function describeLevel(name: string, level: FactorLevel): string {
  const row = factorRow(shortFactorName(name));
  const { describe, unit, counted } = row ?? {};
  if (describe && !(counted && Number.isNaN(Number(level)))) return describe(level);
  if (unit !== undefined) return `${level} ${unit}`;
  const isOfClass = !row && /^requests\.classes\.[A-Za-z]/.test(factorPath(name));
  return `${factorWords(name)}${counted || isOfClass ? ':' : ''} ${level}`;
}

const leadingFactors = ['architecture', 'services', 'rate'];

/** A cell for readers: `sidecar · 5 services · 100 req/s · style nested`; empty without levels. */
export function describeCell(cell: Readonly<Record<string, FactorLevel>>): string {
  const leading = leadingFactors.filter((factor) => cell[factor] !== undefined);
  const others = Object.keys(cell).filter((factor) => !leadingFactors.includes(factor));
  return [...leading, ...others].map((factor) => describeLevel(factor, cell[factor] as FactorLevel)).join(' · ');
}
