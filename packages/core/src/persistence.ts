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

/** Databases by the protocol that they speak; which product answers is what the server itself reports. */
export const storeEngines = ['postgresql', 'mysql', 'mongodb', 'redis'] as const;
export type StoreEngine = (typeof storeEngines)[number];

/** The engines that can hold a configuration; the first is the default. */
export const enginesOf: Readonly<Record<StoreConfiguration, readonly [StoreEngine, ...StoreEngine[]]>> = {
  'sql-indexed': ['postgresql', 'mysql'],
  'sql-unindexed': ['postgresql', 'mysql'],
  document: ['mongodb'],
  'hybrid-indexed': ['postgresql'],
  'hybrid-unindexed': ['postgresql'],
  'key-value': ['redis'],
};

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

/** The same with the address, which carries a password: `postgresql:`, `mysql:`, `mongodb:` or `redis:`. */
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
