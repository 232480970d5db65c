/**
 * Recent requests of this role, with their progress. The gateway derives the last acknowledged hop of a lost flow from
 * them. Two map generations, the older one dropped when the younger one is full: O(1) and bounded without bookkeeping.
 */
import type { LastSeen } from '@topo-bench/core';

const generationSize = 16_384;
// A step and a peer packed into one small integer. A deployment has at most 1000 services and 16 000 routers.
const peerSlots = 32_768;

export class LastSeenRing {
  private young = new Map<string, number>();
  private old = new Map<string, number>();
  private readonly peers: string[] = [];
  private readonly peerNumbers = new Map<string, number>();

  /** Records that this role is processing the request. */
  touch({ id, done }: { id: string; done: number }): void {
    this.put(id, done * peerSlots);
  }

  /** Records that a peer has acknowledged the request. */
  acknowledged({ id, done }: { id: string; done: number }, peer: string): void {
    let number = this.peerNumbers.get(peer);
    if (number === undefined) {
      number = this.peers.push(peer);
      this.peerNumbers.set(peer, number);
    }
    this.put(id, done * peerSlots + number);
  }

  find(id: string): LastSeen | undefined {
    const packed = this.young.get(id) ?? this.old.get(id);
    if (packed === undefined) return undefined;
    return { id, step: Math.floor(packed / peerSlots), acknowledgedBy: this.peers[(packed % peerSlots) - 1] };
  }

  private put(id: string, packed: number): void {
    this.young.set(id, packed);
    if (this.young.size < generationSize) return;
    this.old = this.young;
    this.young = new Map();
  }
}
