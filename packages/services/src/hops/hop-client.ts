/** Calls to peers by name, each over its own connection pool and with the token that the peer expects. */
import { setTimeout as sleep } from 'node:timers/promises';
import { headers as headerNames } from '@topo-bench/core';
import { deadlinePassed, HopFailure } from '@topo-bench/flow';
import type { FaultState } from '../control/message-faults.ts';
import type { FullConfig } from '../full-config.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { type HopAnswer, HopCall } from './hop-call.ts';

interface Peer {
  /** Content type and token, as alternating names and values. */
  headers: string[];
  pool: ConnectionPool;
  /** Connections for control routes, whose messages are not counted. */
  control: ConnectionPool;
}

/**
 * Roles never close an idle connection. User-supplied servers do, some without notice; 5 s is the shortest common
 * timeout.
 */
const ownIdleMs = 60_000;
const foreignIdleMs = 4000;
/** Searches for lost flows are few at a time. */
const controlConnections = 4;

export interface ConnectionCounts {
  connections: number;
  queued: number;
  queuedMax: number;
  connectionsOpened: number;
  /** Calls sent, and bytes of their bodies and of the answers. */
  sent: number;
  sentBytes: number;
  receivedBytes: number;
}

export class HopClient {
  private readonly peers = new Map<string, Peer>();

  constructor(
    private readonly config: FullConfig,
    private readonly faults: FaultState,
  ) {}

  /**
   * Sets the addresses of the peers and loads the HTTP client, so that the first call pays for no import. A role
   * without peers, such as a service behind a sidecar, never loads it. Connections open with the first calls.
   */
  async connect(urls: Readonly<Record<string, string>>): Promise<void> {
    const { peers, secrets } = this.config;
    const names = Object.keys(peers);
    if (names.length === 0) return;
    const { ConnectionPool } = await import('./connection-pool.ts');
    for (const [name, { url, controlUrl, maxConnections, userSupplied }] of Object.entries(peers)) {
      const origin = urls[name] ?? url;
      if (origin === undefined) continue;
      const pool = new ConnectionPool(origin, maxConnections, userSupplied ? foreignIdleMs : ownIdleMs);
      this.peers.set(name, {
        // A missing token stays empty: the gateway may query roles about lost flows that it may not send data to.
        headers: ['content-type', 'application/json', headerNames.token, secrets.peerTokens[name] ?? ''],
        pool,
        control: new ConnectionPool(controlUrl ?? origin, controlConnections, ownIdleMs),
      });
    }
  }

  /** Names of the reachable peers. */
  get names(): string[] {
    return [...this.peers.keys()];
  }

  /**
   * Sends JSON text to a peer, once: the role decides on retries.
   * @param more further headers, as alternating names and values
   * @throws HopFailure `unreachable` or `deadline`
   */
  post(hop: string, path: string, body: string, deadlineMs: number, more?: readonly string[]): Promise<HopAnswer> {
    const peer = this.peers.get(hop);
    if (!peer) return Promise.reject(unknownPeer(hop));
    const headers = more ? [...peer.headers, ...more] : peer.headers;
    return this.data(peer.pool, hop, { path, method: 'POST', headers, body }, deadlineMs);
  }

  /**
   * Sends any method to a peer, as `post` does.
   * @param body JSON text; undefined sends none
   * @throws HopFailure `unreachable` or `deadline`
   */
  send(hop: string, method: string, path: string, body: string | undefined, deadlineMs: number): Promise<HopAnswer> {
    const peer = this.peers.get(hop);
    if (!peer) return Promise.reject(unknownPeer(hop));
    const options = { path, method: method as HopCall['options']['method'], headers: peer.headers, body: body ?? null };
    return this.data(peer.pool, hop, options, deadlineMs);
  }

  /** Reads a control route of a peer. @throws HopFailure `unreachable` or `deadline` */
  readControl(hop: string, path: string, controlToken: string, deadlineMs: number): Promise<HopAnswer> {
    const peer = this.peers.get(hop);
    if (!peer) return Promise.reject(unknownPeer(hop));
    const options: HopCall['options'] = { path, method: 'GET', headers: [headerNames.control, controlToken] };
    return this.call(peer.control, hop, options, deadlineMs);
  }

  counts(): ConnectionCounts {
    const counts: ConnectionCounts = {
      ...{ connections: 0, queued: 0, queuedMax: 0 },
      ...{ connectionsOpened: 0, sent: 0, sentBytes: 0, receivedBytes: 0 },
    };
    for (const { pool } of this.peers.values()) {
      counts.connections += pool.open;
      counts.queued += pool.queued;
      counts.queuedMax = Math.max(counts.queuedMax, pool.queuedMax);
      counts.connectionsOpened += pool.opened;
      counts.sent += pool.sent;
      counts.sentBytes += pool.sentBytes;
      counts.receivedBytes += pool.receivedBytes;
    }
    return counts;
  }

  resetCounts(): void {
    for (const { pool } of this.peers.values()) pool.resetCounts();
  }

  /** Ends all connections at once; open calls fail. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.peers.values()].flatMap(({ pool, control }) => [pool, control]).map((pool) => pool.close()),
    );
  }

  /** A message, which a partition can keep from its peer, or its answer from this role. */
  private async data(
    pool: ConnectionPool,
    hop: string,
    options: HopCall['options'],
    deadlineMs: number,
  ): Promise<HopAnswer> {
    const { faults } = this;
    const startMs = performance.now();
    if (!faults.losesTo(hop)) {
      const answer = await this.call(pool, hop, options, deadlineMs);
      if (!faults.losesFrom(hop)) return answer;
    }
    // A negative time is over already.
    await sleep(Math.max(0, deadlineMs - (performance.now() - startMs)), undefined, { ref: false });
    throw deadlinePassed(hop, deadlineMs * 1000);
  }

  private async call(
    pool: ConnectionPool,
    hop: string,
    options: HopCall['options'],
    deadlineMs: number,
  ): Promise<HopAnswer> {
    if (deadlineMs <= 0) throw deadlinePassed(hop, deadlineMs * 1000);
    return new Promise((resolve, reject) => {
      pool.send(new HopCall(pool, hop, options, deadlineMs, resolve, reject));
    });
  }
}

function unknownPeer(hop: string): HopFailure {
  return new HopFailure('unreachable', hop, `unknown address of ${hop}`);
}
