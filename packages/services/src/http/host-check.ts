/**
 * Refuses requests of web pages at a server that listens on loopback, or in a container whose port is published there.
 * A page on another site can let its own name resolve to 127.0.0.1 (DNS rebinding); the browser then sends that name as
 * `Host`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback, type ListenAddress } from '@topo-bench/core';
import { HttpProblem } from './http-problem.ts';

/** Clients of one server send few different values. */
const maxKnown = 100;

export class HostCheck {
  private readonly known = new Set<string>();

  /**
   * @param given address on which the server listens, by its configuration
   * @param published whether it is in a container; then callers also use addresses, and names of its network
   */
  constructor(
    private readonly given: string,
    private readonly published?: ListenAddress['published'],
  ) {}

  /** Clients other than browsers may omit both headers. */
  problemOf({ host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>): HttpProblem | undefined {
    if (host !== undefined && !this.known.has(host)) {
      if (!this.accepts(host)) return this.foreign('Host', host);
      if (this.known.size < maxKnown) this.known.add(host);
    }
    if (origin !== undefined && !this.accepts(origin.replace(/^https?:\/\//, '')))
      return this.foreign('Origin', origin);
    return undefined;
  }

  /** @param address with or without a port */
  accepts(address: string): boolean {
    const host = address.replace(/:\d+$/, '');
    if (isLoopback(host) || host.toLowerCase() === this.given.toLowerCase()) return true;
    // No public name is without a dot.
    return this.published !== undefined && (isIP(host.replace(/^\[|\]$/g, '')) > 0 || /^[\w-]+$/.test(host));
  }

  private foreign(header: string, value: string): HttpProblem {
    const expected =
      this.published === undefined
        ? 'this server listens on loopback: expected localhost, 127.0.0.1 or [::1]'
        : 'its port is published on loopback: expected localhost, an address, or a name without a dot';
    return new HttpProblem(421, 'misdirected', `${header}: got ${JSON.stringify(value)}; ${expected}`);
  }
}
