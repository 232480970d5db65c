/**
 * The truth of a peer's load by the server's own log of that peer's requests. When a peer meant to send is not known;
 * its arrivals are constant, so they lie on a line of the asked rate that no request precedes.
 */
import type { ServerLog } from './known-server.ts';
import { trueResponseTimesUs } from './truth.ts';

/**
 * @param requests how many the peer reports: the last ones in the log, after its warm-up
 * @returns true response times in µs
 * @throws Error when the server saw fewer requests than the peer reports
 */
export function peerTruthUs({ beginUs, endUs, busyUs }: ServerLog, requests: number, rateRps: number): Float64Array {
  const first = beginUs.length - requests;
  if (first < 0) throw new Error(`the peer reports ${requests} requests, the server saw ${beginUs.length}`);
  const begins = beginUs.slice(first);
  const periodUs = 1e6 / rateRps;
  const startUs = begins.reduce((earliest, us, i) => Math.min(earliest, us - i * periodUs), Number.POSITIVE_INFINITY);
  const arrivalsUs = begins.map((_, i) => i * periodUs);
  const log: ServerLog = {
    index: Int32Array.from(begins, (_, i) => i),
    beginUs: begins,
    endUs: endUs.slice(first),
    busyUs,
  };
  return trueResponseTimesUs(arrivalsUs, startUs, log);
}
