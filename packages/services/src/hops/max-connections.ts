/** Connection limit per peer: high enough never to be the bottleneck, and within the system's handle limit. */

// Enough for acknowledgements and for services that one core serves. More would only move the queue to the peer.
const forShortCalls = 64;
// Share of the 20 000 handles that common limits allow a process. The rest is for its server side.
const forAllPeers = 12_000;

/**
 * @param holdsLong the answer comes after other work or a wait (nested hops, waiting services). One call is then open
 * per request in flight.
 */
export function maxConnections(holdsLong: boolean, inFlightCap: number, peers: number): number {
  const wanted = holdsLong ? Math.max(inFlightCap, forShortCalls) : forShortCalls;
  return Math.max(2, Math.min(wanted, Math.floor(forAllPeers / peers)));
}
