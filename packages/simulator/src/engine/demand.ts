/** The demand of one turn: costs of operations by role, and the random parts of `DemandModel`. */
import type { RandomStream } from '@topo-bench/core';
import type { DemandModel } from '@topo-bench/core/schema/calibration';
import { workKinds, workNumber } from '../script/operations.ts';
import type { SimulatedRole } from '../simulated-roles.ts';
import { Decay, exponentialTable, lognormalTable, tableSize } from './distributions.ts';

export class Demand {
  readonly wakeUs: number;
  /** µs of an operation, and per byte, at [process · kinds + kind]. */
  private readonly baseUs: Float64Array;
  private readonly byteUs: Float64Array;
  /** By process. */
  private readonly idleSinceUs: Float64Array;
  private readonly served: Float64Array;
  private readonly hasNoise: boolean;
  private readonly noise: Float64Array;
  private readonly exponential = exponentialTable();
  private readonly decay = new Decay();

  /**
   * @param processes roles and generators, in this order
   * @param servedBefore requests that each process has served in its warm-up
   */
  constructor(
    private readonly model: DemandModel,
    roles: readonly SimulatedRole[],
    processes: number,
    servedBefore: number,
    private readonly random: RandomStream,
  ) {
    const kinds = workKinds.length;
    this.wakeUs = model.wake.us;
    this.baseUs = new Float64Array(processes * kinds);
    this.byteUs = new Float64Array(processes * kinds);
    this.idleSinceUs = new Float64Array(processes);
    this.served = new Float64Array(processes).fill(servedBefore);
    for (let process = 0; process < processes; process++) {
      for (const [kind, name] of workKinds.entries()) {
        if (name === 'decide') continue;
        this.baseUs[process * kinds + kind] = model.operations[name].us;
        this.byteUs[process * kinds + kind] = model.operations[name].perKilobyteUs / 1000;
      }
      const role = roles[process];
      if (!role) continue;
      const { us, perRuleUs } = model.decide[role.engine];
      this.baseUs[process * kinds + workNumber('decide')] = us + perRuleUs * role.rules.rules.length;
    }
    this.hasNoise = model.noise.sigma > 0;
    this.noise = lognormalTable(model.noise.sigma);
  }

  operationUs(process: number, kind: number, bytes: number): number {
    const at = process * workKinds.length + kind;
    return (this.baseUs[at] as number) + (this.byteUs[at] as number) * bytes;
  }

  /** The factor of a turn that begins now. */
  factor(process: number, nowUs: number): number {
    const { cold, warmth } = this.model;
    let factor = this.noiseFactor();
    if (cold.factor > 0) {
      const gapUs = nowUs - (this.idleSinceUs[process] as number);
      factor *= 1 + cold.factor * (1 - this.decay.at(gapUs / cold.overUs));
    }
    if (warmth.factor > 0) {
      factor *= 1 + warmth.factor * this.decay.at((this.served[process] as number) / warmth.requests);
    }
    return factor;
  }

  noiseFactor(): number {
    return this.hasNoise ? this.drawn(this.noise) : 1;
  }

  serve(process: number): void {
    (this.served[process] as number)++;
  }

  ended(process: number, atUs: number): void {
    this.idleSinceUs[process] = atUs;
  }

  /** The pause of a turn; usually 0. */
  pauseUs(): number {
    const { collections, stops } = this.model.pauses;
    let us = 0;
    if (collections.probability > 0 && this.random.uniform() < collections.probability)
      us += collections.meanUs * this.drawn(this.exponential);
    if (stops.probability > 0 && this.random.uniform() < stops.probability)
      us += stops.meanUs * (0.5 + this.random.uniform());
    return us;
  }

  /** The job of another thread that a turn of this length causes; usually 0. */
  helperUs(turnUs: number): number {
    const { share, meanUs } = this.model.helpers;
    if (share === 0 || this.random.uniform() * meanUs >= turnUs * share) return 0;
    return meanUs * this.drawn(this.exponential);
  }

  /** Lateness of a timer. */
  lateUs(): number {
    const { timerLateUs } = this.model;
    return timerLateUs === 0 ? 0 : timerLateUs * this.random.uniform();
  }

  private drawn(table: Float64Array): number {
    return table[(this.random.uniform() * tableSize) | 0] as number;
  }
}
