/** The secrets of one role, apart from its configuration: in containers they are a file of their own. */

/**
 * The keys of a run with which payloads are redacted and their delivery is checked; equal in all roles and the oracle.
 */
export interface DeliveryKeys {
  /** Key of the pseudonyms. */
  pseudonymKey: string;
  /** Key of the digests of delivered data (`delivered-digest.ts`). */
  digestKey: string;
}

export interface RoleSecrets extends DeliveryKeys {
  /** Required of callers of the data routes (`x-topo-token`). */
  token: string;
  /** Required of clients of items and columns (`x-topo-token`); equal in all roles of a run. */
  clientToken: string;
  /** Required of callers of the control routes. */
  controlToken: string;
  /** Tokens of the roles that this one sends data to, by name. */
  peerTokens: Record<string, string>;
  /** Present for a service that keeps data. */
  store?: StoreSecrets;
}

export interface StoreSecrets {
  /** `postgresql:`, `mysql:`, `mongodb:` or `redis:` with the name (or number) of the database that holds the items. */
  url: string;
  /** Required of callers of `/items`: the token of the enforcement point or, where nothing is enforced, of clients. */
  callerToken: string;
}

/** Name for logins over Flight where clients have no login but the run's token, as its password. */
export const clientUser = 'client';
