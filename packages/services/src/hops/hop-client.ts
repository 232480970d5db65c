/** Calls to peers by name over their pools of connections, each with the token that the peer expects. */
import { headers as headerNames } from '@topo-bench/core/control';
import type { RoleConfig } from '@topo-bench/core/role-config';
import type { ConnectionPool } from './connection-pool.ts';
import { type HopAnswer, HopCall } from './hop-call.ts';
import { HopFailure } from './hop-failure.ts';
import { maxConnections } from './max-connections.ts';

interface Peer {
  origin: string;
  mostConnections: number;
  /** An idle connection is closed after this long. */
  idleMs: number;
  headers: string[];
  /** From the first call to any peer on. */
  pool: ConnectionPool | undefined;
}

/** By then a hundred roles that start together have started; an earlier call does not wait for it. */
const loadAfterMs = 3000;

/** Roles never close an idle connection. Servers of users do, some without saying when; 5 s is the least that is usual. */
const ownIdleMs = 60_000;
const foreignIdleMs = 4000;

export interface ConnectionCounts {
  connections: number;
  queued: number;
  queuedMax: number;
}

export class HopClient {
  private readonly peers = new Map<string, Peer>();
  private opening: Promise<void> | undefined;

  constructor(private readonly config: RoleConfig) {}

  /**
   * Takes in where the peers are. The HTTP client costs a tenth of a start: it loads with the first call, or shortly after
   * the start so that the first call need not wait, and never in a role without peers.
   */
  connect(urls: Readonly<Record<string, string>>): void {
    const { peers, graph, style, inFlightCap } = this.config;
    const names = Object.keys(peers);
    if (names.length === 0) return;
    const services = new Map(graph.services.map((service) => [service.name, service]));
    for (const [name, { url, token }] of Object.entries(peers)) {
      const origin = urls[name] ?? url;
      if (origin === undefined) continue;
      const service = services.get(name);
      // Who executes flows answers, in nested style, after all that follows; a service that waits answers after its wait.
      // A service of the user's is called as it is, by whoever executes its step.
      const foreign = service?.userPath !== undefined && (service.executor !== name || name === this.config.name);
      const executes = !foreign && (!service || service.executor === name);
      const holdsLong = executes ? style === 'nested' : service.work.kind === 'wait';
      this.peers.set(name, {
        origin,
        idleMs: foreign ? foreignIdleMs : ownIdleMs,
        mostConnections: maxConnections(holdsLong, inFlightCap, names.length),
        headers: ['content-type', 'application/json', headerNames.token, token],
        pool: undefined,
      });
    }
    setTimeout(() => void this.open(), loadAfterMs).unref();
  }

  /** Names of the peers that it can reach. */
  get names(): string[] {
    return [...this.peers.keys()];
  }

  /**
   * Sends JSON text to a peer, once.
   * @param more headers beyond type and token: names and values in turn
   * @throws HopFailure `unreachable` or `deadline`
   */
  post(hop: string, path: string, body: string, deadlineMs: number, more?: readonly string[]): Promise<HopAnswer> {
    const peer = this.peers.get(hop);
    if (!peer) return Promise.reject(unknownPeer(hop));
    const headers = more ? [...peer.headers, ...more] : peer.headers;
    return this.call(peer, hop, { path, method: 'POST', headers, body }, deadlineMs);
  }

  /** Reads a control route of a peer. @throws HopFailure `unreachable` or `deadline` */
  readControl(hop: string, path: string, controlToken: string, deadlineMs: number): Promise<HopAnswer> {
    const peer = this.peers.get(hop);
    if (!peer) return Promise.reject(unknownPeer(hop));
    return this.call(peer, hop, { path, method: 'GET', headers: [headerNames.control, controlToken] }, deadlineMs);
  }

  counts(): ConnectionCounts {
    const counts: ConnectionCounts = { connections: 0, queued: 0, queuedMax: 0 };
    for (const { pool } of this.peers.values()) {
      if (!pool) continue;
      counts.connections += pool.open;
      counts.queued += pool.queued;
      counts.queuedMax = Math.max(counts.queuedMax, pool.queuedMax);
    }
    return counts;
  }

  resetCounts(): void {
    for (const { pool } of this.peers.values()) if (pool) pool.queuedMax = pool.queued;
  }

  /** Ends all connections at once; open calls fail. */
  async close(): Promise<void> {
    await Promise.all([...this.peers.values()].map(({ pool }) => pool?.close()));
  }

  private async call(peer: Peer, hop: string, options: HopCall['options'], deadlineMs: number): Promise<HopAnswer> {
    if (deadlineMs <= 0) throw new HopFailure('deadline', hop, `no time was left to call ${hop}`);
    if (!peer.pool) await this.open();
    const pool = peer.pool as ConnectionPool;
    return new Promise((resolve, reject) => {
      pool.send(new HopCall(pool, hop, options, deadlineMs, resolve, reject));
    });
  }

  private open(): Promise<void> {
    this.opening ??= import('./connection-pool.ts').then(({ ConnectionPool }) => {
      for (const peer of this.peers.values()) {
        const { origin, mostConnections, idleMs } = peer;
        peer.pool = new ConnectionPool(origin, mostConnections, idleMs);
      }
    });
    return this.opening;
  }
}

function unknownPeer(hop: string): HopFailure {
  return new HopFailure('unreachable', hop, `the address of ${hop} is not known here`);
}
