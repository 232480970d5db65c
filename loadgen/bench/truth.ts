/**
 * What the response times would be for a client that sends each request at its intended time and loses none on the way:
 * the intended arrivals, drawn here again from the seed, through the server's own timestamps. What the driver reports
 * of itself has no part in it.
 *
 * A request that arrives while the server is stalled, or still reads what piled up, is done at the time that the server
 * reports: end − arrival. Any other takes the server's own time: end − begin. So the truth holds no lag of the
 * generator, no network and no wait of the driver's for the CPU; it does hold the whole wait of requests that met a
 * stall.
 */
import type { ServerLog } from './known-server.ts';

/**
 * @param arrivalsUs intended arrivals from the start of the load, by index
 * @param startAtUs start of the load on the clock of the server's timestamps
 * @returns true response times in µs; requests that the server never saw are missing
 */
export function trueResponseTimesUs(arrivalsUs: Float64Array, startAtUs: number, log: ServerLog): Float64Array {
  return Float64Array.from(log.index, (index, row) => {
    const arrivalUs = startAtUs + (arrivalsUs[index] as number);
    const endUs = log.endUs[row] as number;
    const metStall = log.busyUs.some(([from, to]) => arrivalUs >= from && arrivalUs <= to);
    return endUs - (metStall ? arrivalUs : (log.beginUs[row] as number));
  });
}
