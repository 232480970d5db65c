/** What a service keeps its data in, and what it is told about it: shared by the topology schema, services and stores. */
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

/** How a service reaches its store. Plain data: it travels as JSON in the role's configuration. */
export interface StoreOptions {
  configuration: StoreConfiguration;
  /** `postgresql:`, `mysql:`, `mongodb:` or `redis:` with the name (or number) of the database that holds the items. */
  url: string;
  /** Connections, and with that operations at the store at once. */
  poolSize: number;
  /** Operations that wait for a connection, first in first out; beyond: refused at once. */
  queueLimit: number;
  /** Longest wait for a connection. */
  waitMs: number;
  /** Longest time at the store, connecting included, before an operation is given up. */
  timeoutMs: number;
}

/** What a service that keeps data is told: part of the role's configuration. */
export interface RolePersistence {
  store: StoreOptions;
  /** What callers of `/items` must present: known to the enforcement point alone or, where nothing is enforced, to clients. */
  token: string;
  /** Category of data by field of an item. */
  categories: Record<string, string>;
}

/** What an enforcement point is told of the items of a service that it is responsible for. */
export interface GuardedItems {
  /** Index of the service. */
  service: number;
  /** Region of the store: that of the target when rules decide. */
  region: string;
  /** Category of data by field of an item. */
  categories: Record<string, string>;
  /** Rules that may concern the store. */
  rules: RuleSet;
  /** Time for a call of the service: the longest wait for a connection plus the longest time at the store. */
  timeoutMs: number;
}
