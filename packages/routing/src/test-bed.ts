/** A deployment under requests: warmed up before its first repetition, drained between repetitions. */
import type { TopoBenchError } from '@topo-bench/core';
import type { Host } from '@topo-bench/core/schema/result';
import type { DeployedCell } from '@topo-bench/measured';
import type { WarmUpRecord } from '@topo-bench/study-kit/warm-up-record';
import type { ExperimentCell, MeasureContext, MeasuredRepetition, TestBed } from '@topo-bench/trial';
import { measureRepetition } from './measure-repetition.ts';
import { awaitIdle, warmUpDeployment } from './warm-up-deployment.ts';

export class RoutingTestBed implements TestBed {
  readonly #deployed: DeployedCell;
  readonly #deaths: TopoBenchError[] = [];
  #warmUp: WarmUpRecord | undefined;
  #measurements = 0;
  #backlog = false;
  /** Whether an event has killed a role or changed rules. */
  #ended = false;

  constructor(deployed: DeployedCell) {
    this.#deployed = deployed;
    deployed.deployment.onDeath((error) => this.#deaths.push(error));
  }

  get hosts(): readonly Host[] {
    return this.#deployed.deployment.hosts;
  }

  async recover({ settings }: ExperimentCell, { onPhase, signal }: MeasureContext): Promise<boolean> {
    if (this.#deaths.length > 0 || this.#ended) return false;
    if (!this.#backlog) return true;
    onPhase('drain', 'remaining backlog');
    return awaitIdle(this.#deployed.deployment, settings.drain, signal);
  }

  async measure(cell: ExperimentCell, repetition: number, context: MeasureContext): Promise<MeasuredRepetition> {
    try {
      const { endedRoles, ...measured } = await this.#measure(cell, repetition, context);
      this.#ended ||= endedRoles;
      this.#backlog = measured.entry.unfinished > 0;
      return measured;
    } catch (error) {
      // The death of a role causes all later errors.
      throw context.signal.aborted ? error : (this.#deaths[0] ?? error);
    }
  }

  async #measure(cell: ExperimentCell, repetition: number, context: MeasureContext) {
    const { deployment, keys, launcher } = this.#deployed;
    if (!this.#warmUp) {
      context.onPhase('warm-up');
      this.#warmUp = await warmUpDeployment(deployment, cell, context);
    }
    const { warm, ...history } = this.#warmUp;
    this.#measurements++;
    return measureRepetition({
      deployment,
      deaths: this.#deaths,
      cell,
      repetition,
      warm,
      history: { rank: this.#measurements, ...history },
      launcher,
      keys,
      context,
    });
  }

  close(): Promise<void> {
    return this.#deployed.deployment.stop();
  }
}
