/**
 * The lines between a role and the local process that starts it. The role reads three documents from standard input,
 * one line each: its `RoleConfig`, its `RoleSecrets` and the `DeploymentGraph`. Tokens thus appear neither on disk nor
 * on the command line. Once it listens, the role prints `RoleReady` on standard output. It then reads `PeerUrls`,
 * answers `{"ready":true}`, and exits when its standard input ends. In containers the three documents are files that
 * contain the URLs of the peers.
 */

/** First line of a role, printed once it listens. */
export interface RoleReady {
  name: string;
  /** Address for callers that send data. */
  url: string;
  /** Address of its control routes if different: next to a user-supplied service. */
  controlUrl?: string;
  /** Address of its columns over Arrow Flight: `grpc+tcp://…` or `grpc+tls://…`. */
  flightUrl?: string;
}

/** Printed instead of `RoleReady` when the user-supplied service fails to start. The role then exits. */
export interface RoleFailed {
  failed: { code: 'TB_ROLE_NOT_READY' | 'TB_ROLE_PORT_TAKEN' | 'TB_USER_SERVICE'; message: string; hint?: string };
}

/** Last line that a role reads: the addresses of its peers by name. */
export interface PeerUrls {
  peers: Record<string, string>;
}
