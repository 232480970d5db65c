/** Where services keep their data, and how they reach it: shared by the topology schema, services and stores. */
import type { RuleSet } from './rule-set.ts';

export const storeConfigurations = [
  'sql-indexed',
  'sql-unindexed',
  'document',
  'hybrid-indexed',
  'hybrid-unindexed',
  'key-value',
] as const;
export type StoreConfiguration = (typeof storeConfigurations)[number];

/**
 * Databases by protocol, with the configurations that each can hold. The first engine of a configuration is its
 * default. The registry of the package `stores` is typed by these names: an engine that is missing there does not
 * compile.
 */
const configurationsOf = {
  postgresql: ['sql-indexed', 'sql-unindexed', 'hybrid-indexed', 'hybrid-unindexed'],
  mysql: ['sql-indexed', 'sql-unindexed'],
  mongodb: ['document'],
  redis: ['key-value'],
} as const satisfies Record<string, readonly StoreConfiguration[]>;
export type StoreEngine = keyof typeof configurationsOf;
export const storeEngines = Object.keys(configurationsOf) as [StoreEngine, ...StoreEngine[]];

/** The engines that can hold a configuration; the first is the default. */
export const enginesOf = Object.fromEntries(
  storeConfigurations.map((configuration) => [
    configuration,
    storeEngines.filter((engine) => (configurationsOf[engine] as readonly string[]).includes(configuration)),
  ]),
) as unknown as Readonly<Record<StoreConfiguration, readonly [StoreEngine, ...StoreEngine[]]>>;

/** The chosen engine, or the default of the configuration. */
export function engineOf({
  store,
  engine,
}: {
  store: StoreConfiguration;
  engine?: StoreEngine | undefined;
}): StoreEngine {
  return engine ?? enginesOf[store][0];
}

/** How a service uses its store. Plain data: it travels as JSON in the role's configuration. */
export interface StoreSettings {
  configuration: StoreConfiguration;
  /** Connections, and with that operations at the store at once. */
  poolSize: number;
  /** Operations that wait for a connection, first in first out; beyond: refused at once. */
  queueLimit: number;
  /** Max wait for a connection. */
  waitMs: number;
  /** Max time at the store, connecting included, before an operation fails. */
  timeoutMs: number;
}

/** The same with the connection string, which contains a password. */
export interface StoreOptions extends StoreSettings {
  url: string;
}

/** The data of a service that keeps some: part of the role's configuration. */
export interface RolePersistence {
  store: StoreSettings;
  /** Category of data by field of an item. */
  categories: Record<string, string>;
}

/** The items of a service, in the configuration of the enforcement point that is responsible for it. */
export interface GuardedItems {
  /** Index of the service. */
  service: number;
  /** Region of the store: that of the target when rules decide. */
  region: string;
  /** Category of data by field of an item. */
  categories: Record<string, string>;
  /** Rules that may concern the store. */
  rules: RuleSet;
  /** Time for a call of the service: max wait for a connection plus max time at the store. */
  timeoutMs: number;
}
