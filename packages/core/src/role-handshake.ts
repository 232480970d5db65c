/**
 * The lines between a role and the local process that starts it. On standard input come the role's `RoleConfig`, its
 * `RoleSecrets` and the `DeploymentGraph`, one line each, so that tokens touch neither disk nor command line. Once it
 * listens, the role prints `RoleReady` on standard output. It then reads `PeerUrls`, answers `{"ready":true}`, and ends
 * when its standard input ends. In containers the three documents are files, with the URLs of the peers filled in.
 */

/** First line of a role: it listens. */
export interface RoleReady {
  name: string;
  /** Where its callers send data. */
  url: string;
  /** Address of its control routes when it is another one: next to a user-supplied service. */
  controlUrl?: string;
  /** Where it serves columns over Arrow Flight: `grpc+tcp://…` or `grpc+tls://…`. */
  flightUrl?: string;
}

/** Printed instead of `RoleReady` when the user's service fails to start; the role then exits. */
export interface RoleFailed {
  failed: { code: 'TB_ROLE_NOT_READY' | 'TB_ROLE_PORT_TAKEN' | 'TB_ROLE_DIED'; message: string; hint?: string };
}

/** Last line that a role reads: the addresses of its peers by name. */
export interface PeerUrls {
  peers: Record<string, string>;
}
