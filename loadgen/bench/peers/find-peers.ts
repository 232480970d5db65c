/** The other tools that this machine has: autocannon always, k6 and Fortio when they are installed. */
import { autocannonPeer } from './autocannon.ts';
import { fortioPeer } from './fortio.ts';
import { k6Peer } from './k6.ts';
import { findProgram, type Peer } from './peer.ts';

export function findPeers(): Peer[] {
  const k6 = findProgram('k6', 'TOPO_BENCH_K6');
  const fortio = findProgram('fortio', 'TOPO_BENCH_FORTIO');
  return [autocannonPeer, ...(k6 ? [k6Peer(k6)] : []), ...(fortio ? [fortioPeer(fortio)] : [])];
}
