/** The secrets of one role, separate from its configuration: in containers they are a file of their own. */

/** The keys of a run that redact payloads and verify their delivery; equal in all roles and the oracle. */
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
  /** Tokens for the peers that this role sends data to, by name. */
  peerTokens: Record<string, string>;
  /** Present for a service that keeps data. */
  store?: StoreSecrets;
  /** Present for a service that serves columns over Flight with a login or TLS. */
  flight?: FlightSecrets;
}

export interface StoreSecrets {
  /** `postgresql:`, `mysql:`, `mongodb:` or `redis:` URL with the name (or number) of the items' database. */
  url: string;
  /** Required of callers of `/items`: the token of the enforcement point or, without enforcement, of clients. */
  callerToken: string;
}

/**
 * Password and certificates of a Flight endpoint, where the starter of the role has read them. A role without them
 * reads the variable and the files that its configuration names.
 */
export interface FlightSecrets {
  password?: string;
  /** In PEM. */
  tls?: { certificate: string; key: string; clientCa?: string };
}

/** User name for Flight logins when clients have no login of their own. The password is the run's token. */
export const clientUser = 'client';
