/** What `calibrate` measures on its own: experiments on the system of the routing study, each a run of its own. */

export interface DesignPart {
  /** Name of its run folder. */
  name: 'cells' | 'one-core' | 'held-out';
  /** The experiment file. */
  experiment: Record<string, unknown>;
  /** Core that all processes share; absent: all cores. */
  core?: number;
  /** Whether the fit must not see it. */
  heldOut: boolean;
}

export interface DesignSetting {
  quick: boolean;
  /** Path of the topology. */
  topology: string;
  /** Offered load, from hardly any to more than half of the processors. */
  ratesRps: readonly number[];
  /** Whether processes can be limited to one core. */
  oneCore: boolean;
}

/** In the order of measuring. */
export function calibrationDesign({ quick, topology, ratesRps, oneCore }: DesignSetting): DesignPart[] {
  const [low = 20, ...higher] = ratesRps;
  const mid = higher[0] ?? low;
  const experimentOf = (name: string, factors: Record<string, unknown[]>): Record<string, unknown> => ({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Experiment', name: `calibration-${name}`, topology, factors },
    ...{ repetitions: 1, deploy: 'round', drain: '10s', duration: quick ? '5s' : '10s' },
    // Compilers continue for thousands of requests: cells that differ in them have no common demand.
    warmup: { requests: quick ? 2000 : 4000, max: '40s' },
    validity: { remeasure: quick ? '10%' : '30%' },
  });
  const cells = {
    architecture: ['none', 'central-entity', 'sidecar'],
    services: [3, 6],
    rate: [...new Set(quick ? [low, higher.at(-1) ?? low] : ratesRps)],
  };
  const heldOut = { architecture: ['dynamic-router-3'], services: quick ? [6] : [6, 9], rate: [mid] };
  const narrow = { architecture: ['none', 'central-entity', 'sidecar'], services: [6], rate: [low, round(mid / 2)] };
  return [
    { name: 'cells', experiment: experimentOf('cells', cells), heldOut: false },
    ...(oneCore && !quick
      ? [{ name: 'one-core' as const, experiment: experimentOf('one-core', narrow), core: 0, heldOut: false }]
      : []),
    { name: 'held-out', experiment: experimentOf('held-out', heldOut), heldOut: true },
  ];
}

/** The lowest rate: processes sleep long between requests. */
export const lowestRateRps = 20;
/** Shares of the processors at the higher rates. */
const shares = [0.25, 0.55];
/** What a request of cold processes at the lowest rate needs, over one of warm processes at these rates. */
const coldDemand = 2.6;

/** @param shareAtLowest share of the processors that the largest cell needs at the lowest rate, by a probe when cold */
export function ratesFor(shareAtLowest: number): number[] {
  const rates = shares.map((share) => round((lowestRateRps * share * coldDemand) / shareAtLowest));
  return [lowestRateRps, ...rates.map((rate, i) => Math.max(rate, lowestRateRps * (i + 2)))];
}

/** Two digits. */
function round(rate: number): number {
  return Number(rate.toPrecision(2));
}
