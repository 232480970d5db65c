/**
 * The requests that passed here most recently and how far they were: from these the gateway names the last acknowledged
 * hop of a lost flow. Two generations of a map, the older dropped when the younger is full: O(1) and bounded without
 * bookkeeping.
 */
import type { LastSeen } from '@topo-bench/core/control';

const generationSize = 16_384;
// A step and a peer in one small integer; there are at most about 2000 roles.
const peerSlots = 4096;

export class LastSeenRing {
  private young = new Map<string, number>();
  private old = new Map<string, number>();
  private readonly peers: string[] = [];
  private readonly peerNumbers = new Map<string, number>();

  /** This role has the request in hand. */
  touch({ id, done }: { id: string; done: number }): void {
    this.put(id, done * peerSlots);
  }

  /** A peer has taken the request from here. */
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
