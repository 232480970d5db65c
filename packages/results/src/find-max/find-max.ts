/**
 * Searches the highest rate at which a condition holds: doubles or halves until the rate is bracketed, then bisects.
 */
export interface FindMaxOptions {
  /** First rate to try, req/s. */
  startRps: number;
  /** Stops when the highest good and the lowest bad rate are this close, as a ratio minus 1. */
  precision?: number;
  /** Max number of probes. */
  maxProbes?: number;
  /** Max and min rate to try, req/s. */
  highestRps?: number;
  lowestRps?: number;
  /** Checked before every probe; true ends the search with the rates found so far. */
  stop?: () => boolean;
}

export interface FindMaxResult {
  /** Highest rate that met the condition; undefined without one. */
  rateRps: number | undefined;
  /** Lowest rate above it that failed; undefined without one. */
  failedRps: number | undefined;
  probes: number;
}

/**
 * @param probe returns whether the condition holds at a rate. A rate is bad only after two failed probes in a row: one
 *   hiccup of the host must not end the search far below the capacity.
 */
export async function findMax(
  probe: (rateRps: number) => Promise<boolean>,
  options: FindMaxOptions,
): Promise<FindMaxResult> {
  const { startRps, precision = 0.05, maxProbes = 20, highestRps = 1e6, lowestRps = 1, stop = () => false } = options;
  let good: number | undefined;
  let bad: number | undefined;
  let probes = 0;
  let rateRps: number | undefined = Math.min(startRps, highestRps);
  const holds = async (rate: number): Promise<boolean> => {
    probes++;
    if (await probe(rate)) return true;
    if (probes >= maxProbes) return false;
    probes++;
    return probe(rate);
  };
  while (rateRps !== undefined && probes < maxProbes && !stop()) {
    if (await holds(rateRps)) good = rateRps;
    else bad = rateRps;
    rateRps = nextRate();
  }
  return { rateRps: good, failedRps: bad, probes };

  function nextRate(): number | undefined {
    if (bad === undefined) return good === highestRps ? undefined : Math.min(highestRps, (good as number) * 2);
    if (good === undefined) return bad / 2 < lowestRps ? undefined : bad / 2;
    return bad / good <= 1 + precision ? undefined : rounded(Math.sqrt(good * bad));
  }
}

/** Three digits are far finer than the precision, and read well. */
function rounded(rateRps: number): number {
  return Number(rateRps.toPrecision(3));
}
