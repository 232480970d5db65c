/** The demand of one turn: costs of operations by role, and the random parts of `DemandModel`. */

import type { DemandModel } from '@topo-bench/core/schema/calibration';
import { workKinds, workNumber } from '../script/operations.ts';
import type { SimulatedRole } from '../simulated-roles.ts';
import { decay, exponentialTable, lognormalTable, tableSize } from './distributions.ts';
import { UniformDraws } from './uniform-draws.ts';

/** Draws nothing: for costs alone. */
const none = new UniformDraws({ uniform: () => 0, integer: () => 0 });

export class Demand {
  readonly wakeUs: number;
  readonly sleepUs: number;
  /** µs of an operation, and per byte, at [process · kinds + kind]. */
  private readonly baseUs: Float64Array;
  private readonly byteUs: Float64Array;
  /** By process. */
  private readonly idleSinceUs: Float64Array;
  private readonly served: Float64Array;
  private readonly hasNoise: boolean;
  private readonly noise: Float64Array;

  /**
   * @param processes roles and generators, in this order
   * @param servedBefore requests that each process has served in its warm-up
   */
  constructor(
    private readonly model: DemandModel,
    roles: readonly SimulatedRole[],
    processes: number,
    servedBefore: number,
    private readonly random: UniformDraws = none,
  ) {
    const kinds = workKinds.length;
    this.wakeUs = model.wake.us;
    this.sleepUs = model.wake.sleepUs;
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

  /**
   * The factor of a turn that begins now.
   * @param othersUs processor time of other processes, per core, since the last turn of this one
   */
  factor(process: number, nowUs: number, othersUs: number): number {
    const { cold, warmth } = this.model;
    let factor = this.noiseFactor();
    if (cold.factor > 0) {
      const gapUs = nowUs - (this.idleSinceUs[process] as number);
      factor *= 1 + cold.factor * (1 - decay(gapUs / cold.overUs + othersUs / cold.overWorkUs));
    }
    if (warmth.factor > 0) {
      factor *= 1 + warmth.factor * decay((this.served[process] as number) / warmth.requests);
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

  /**
   * The pause of a turn; usually 0.
   * @param chance uniform in [0, 1): one number for the pause and the helpers of a turn, which happen at its two ends
   */
  pauseUs(chance: number): number {
    const { collections, stops } = this.model.pauses;
    if (chance < collections.probability) return collections.meanUs * this.drawn(exponentialTable);
    if (chance < collections.probability + stops.probability) return stops.meanUs * (0.5 + this.random.next());
    return 0;
  }

  /** The job of another thread that a turn of this length causes; usually 0. @param chance as in `pauseUs` */
  helperUs(turnUs: number, chance: number): number {
    const { share, meanUs } = this.model.helpers;
    return (1 - chance) * meanUs <= turnUs * share ? meanUs * this.drawn(exponentialTable) : 0;
  }

  /** A number for `pauseUs` and `helperUs`. */
  chance(): number {
    return this.random.next();
  }

  /** Lateness of a timer. */
  lateUs(): number {
    const { timerLateUs } = this.model;
    return timerLateUs === 0 ? 0 : timerLateUs * this.random.next();
  }

  private drawn(table: Readonly<Float64Array>): number {
    return table[(this.random.next() * tableSize) | 0] as number;
  }
}
