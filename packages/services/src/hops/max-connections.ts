/** How many connections to a peer are opened at most, so that they never are the bottleneck and never use up the system's handles. */

// Enough for acknowledgements and for services that one core serves: more would only move the queue to the other side.
const forShortCalls = 64;
// Of the 20 000 handles that common limits leave a process; the rest is for its server side.
const forAllPeers = 12_000;

/**
 * @param holdsLong the answer comes after other work or a wait (nested hops, services that wait), so that as many calls
 *   are open as requests are in flight
 */
export function maxConnections(holdsLong: boolean, inFlightCap: number, peers: number): number {
  const wanted = holdsLong ? Math.max(inFlightCap, forShortCalls) : forShortCalls;
  return Math.max(2, Math.min(wanted, Math.floor(forAllPeers / peers)));
}
