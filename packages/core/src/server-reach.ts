/**
 * How the roles of a deployment reach database servers on the machine that runs topo-bench. A runner states it, and the
 * starter of the servers follows it.
 */
export interface ServerReach {
  /**
   * Address of this machine on which a server for the roles listens. This process reaches it there. Absent where the
   * roles do not reach servers on this machine.
   */
  listen?: string;
  /** Host of URLs at which the roles reach a server with a loopback address; absent where they do not. */
  loopback?: string;
  /**
   * Present where roles are containers: a server in a container joins their network. The context of Docker is that of
   * their engine.
   */
  containers?: { context?: string };
}

/** A database server in a container, for roles in containers on the same engine. */
export interface ReachedContainer {
  id: string;
  /** Host name in the network of the roles. */
  name: string;
  containerPort: number;
  /** Address in the connection strings of this process. */
  host: string;
  port: number;
}

/** Whether a host of an address is this machine itself. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);
}

/**
 * A connection string with other addresses: `change` maps each `host` or `host:port` of it. Users, passwords, databases
 * and options stay.
 */
export function withAddresses(url: string, change: (address: string) => string): string {
  const [, start, hosts = '', end = ''] = /^([a-z+]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/is.exec(url) ?? [];
  if (start === undefined || hosts === '') return url;
  return start + hosts.split(',').map(change).join(',') + end;
}

/** An address as the host of a URL: IPv6 stands in brackets. */
export function hostPart(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** The address that is the host of a URL, as sockets need it. */
export function addressOf(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** The host of `host:port`, `[::1]:port` or a host alone. */
function hostOf(address: string): string {
  return address.replace(/:\d+$/, '');
}

/** A connection string as the roles need it: loopback hosts become the one at which they reach this machine. */
export function seenByRoles(url: string, { loopback }: ServerReach): string {
  return withAddresses(url, (address) => {
    const host = hostOf(address);
    return isLoopback(host) && loopback !== undefined ? loopback + address.slice(host.length) : address;
  });
}

/** Whether a connection string has a loopback host. */
export function hasLoopback(url: string): boolean {
  let found = false;
  withAddresses(url, (address) => {
    found ||= isLoopback(hostOf(address));
    return address;
  });
  return found;
}
