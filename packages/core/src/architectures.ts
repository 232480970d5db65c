/**
 * The enforcement architectures as plain data, in reading order: from no enforcement to the most distributed. The
 * schema, role names, levels and the report derive from this table. `packages/topology/src/architectures` has a file
 * with the behaviour of each.
 */
interface ArchitectureRow {
  /** One sentence for help, schema and report. */
  description: string;
  /** Kind of its enforcement points; absent without enforcement. */
  role?: string;
  /** Names of these roles: `<n>` counts from 1, `<service>` is the name of a service. */
  roleName?: string;
  /** Its enforcement points within a sentence. */
  points?: string;
  /** Field of `enforcement` with the number of points; the level then carries it (`dynamic-router-3`). */
  count?: 'routers';
  /** Each of its enforcement points may have several processes (`enforcement.replicas`). */
  replicas?: true;
  /** Each of these roles shares the pod of its service, on clusters that have pods. */
  inPodOfService?: true;
}

const rows = {
  none: { description: 'Nothing is enforced: each service executes its own step.' },
  'central-entity': {
    description: 'One process on the node of the gateway decides every step.',
    role: 'central-entity',
    roleName: 'central-entity',
    points: 'the central entity',
    replicas: true,
  },
  'dynamic-router': {
    description: 'A number of routers, each of which decides for the services of some nodes.',
    role: 'router',
    roleName: 'router-<n>',
    points: 'the routers',
    count: 'routers',
    replicas: true,
  },
  sidecar: {
    description: 'A process next to each service decides for it.',
    role: 'sidecar',
    roleName: '<service>-sidecar',
    points: 'the sidecars',
    inPodOfService: true,
  },
} as const satisfies Record<string, ArchitectureRow>;

export type Architecture = keyof typeof rows;
type Row = (typeof rows)[Architecture];
export type EnforcementRole = Extract<Row, { role: string }>['role'];

export interface ArchitectureInfo extends ArchitectureRow {
  role?: EnforcementRole;
}

export const architectureTable: Readonly<Record<Architecture, Readonly<ArchitectureInfo>>> = rows;

/** In reading order. */
export const architectures = Object.keys(rows) as [Architecture, ...Architecture[]];

/** The reference level of comparisons unless the user names another. */
export const referenceArchitecture: Architecture = 'sidecar';

export interface ParsedLevel {
  architecture: Architecture;
  count?: number;
}

/**
 * Reads a level of the factor `architecture`: a name, with a count where it has one. @returns undefined for other text
 */
export function parseArchitectureLevel(level: unknown): ParsedLevel | undefined {
  const text = String(level);
  if (isArchitecture(text)) return { architecture: text };
  const [, name = '', count] = /^(.+)-([1-9]\d*)$/.exec(text) ?? [];
  return isArchitecture(name) && architectureTable[name].count
    ? { architecture: name, count: Number(count) }
    : undefined;
}

/** The level of a graph or file. */
export function architectureLevel(enforcement: { architecture: Architecture; routers: number }): string {
  const { architecture } = enforcement;
  const { count } = architectureTable[architecture];
  return count ? `${architecture}-${enforcement[count]}` : architecture;
}

/** One level of every architecture, for texts and templates. @param count of those that have one */
export function exampleLevels(count: number): string[] {
  return architectures.map((architecture) => architectureLevel({ architecture, routers: count }));
}

/** Whether any process makes decisions; true for any other text, e.g. from results of another version. */
export function isEnforced(level: unknown): boolean {
  const parsed = parseArchitectureLevel(level);
  return !parsed || architectureTable[parsed.architecture].role !== undefined;
}

/** Whether an enforcement point of that architecture may have several processes. */
export function isReplicated(architecture: Architecture): boolean {
  return architectureTable[architecture].replicas === true;
}

function isArchitecture(text: string): text is Architecture {
  return Object.hasOwn(rows, text);
}
