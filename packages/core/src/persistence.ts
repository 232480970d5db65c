/** Stores of services and their settings, shared by the topology schema, services and stores. */
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
 * Databases by protocol, with the supported configurations: none for a database of heat maps alone. The first engine of
 * a configuration is its default. These names type the registry of the package `stores`: a missing engine there is a
 * compile error.
 */
const configurationsOf = {
  postgresql: ['sql-indexed', 'sql-unindexed', 'hybrid-indexed', 'hybrid-unindexed'],
  mysql: ['sql-indexed', 'sql-unindexed'],
  mongodb: ['document'],
  redis: ['key-value'],
  cassandra: [],
  ignite: [],
  hbase: [],
} as const satisfies Record<string, readonly StoreConfiguration[]>;
export type StoreEngine = keyof typeof configurationsOf;
export const storeEngines = Object.keys(configurationsOf) as [StoreEngine, ...StoreEngine[]];
/** The engines that keep data of services. */
export type ItemEngine = {
  [Engine in StoreEngine]: (typeof configurationsOf)[Engine] extends readonly [] ? never : Engine;
}[StoreEngine];
export const itemEngines = storeEngines.filter((engine) => configurationsOf[engine].length > 0) as [
  ItemEngine,
  ...ItemEngine[],
];

/** The engines that support a configuration; the first is the default. */
export const enginesOf = Object.fromEntries(
  storeConfigurations.map((configuration) => [
    configuration,
    itemEngines.filter((engine) => (configurationsOf[engine] as readonly string[]).includes(configuration)),
  ]),
) as unknown as Readonly<Record<StoreConfiguration, readonly [ItemEngine, ...ItemEngine[]]>>;

/** The chosen engine, or the default of the configuration. */
export function engineOf({
  store,
  engine,
}: {
  store: StoreConfiguration;
  engine?: ItemEngine | undefined;
}): ItemEngine {
  return engine ?? enginesOf[store][0];
}

/** Store settings of a service. Plain data: part of the role's configuration, sent as JSON. */
export interface StoreSettings {
  configuration: StoreConfiguration;
  /** Max connections, and thus max concurrent operations at the store. */
  poolSize: number;
  /** Max operations that wait for a connection, first in first out. Further ones are refused at once. */
  queueLimit: number;
  /** Max wait for a connection. */
  waitMs: number;
  /** Max time at the store, including the connection set-up, before an operation fails. */
  timeoutMs: number;
}

/** Store settings with the connection string, which contains a password. */
export interface StoreOptions extends StoreSettings {
  url: string;
}

/** Persistence of a service that keeps data: part of the role's configuration. */
export interface RolePersistence {
  store: StoreSettings;
  /** Category of data by field of an item. */
  categories: Record<string, string>;
}

/** The items of a service, in the configuration of the enforcement point that is responsible for it. */
export interface GuardedItems {
  /** Index of the service. */
  service: number;
  /** Region of the store, which rules see as the target's region. */
  region: string;
  /** Category of data by field of an item. */
  categories: Record<string, string>;
  /** Rules that can apply to the store. */
  rules: RuleSet;
  /** Timeout of a call of the service: max wait for a connection plus max time at the store. */
  timeoutMs: number;
}
