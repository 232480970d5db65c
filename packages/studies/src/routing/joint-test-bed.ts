/**
 * Several deployments that stand together and take turns under load, so that whatever the machine does meets all of
 * them. The one mechanism of
 * `deploy: interleaved` and of a gate's two sides.
 */
import type { Host } from '@topo-bench/core/schema/result';
import type {
  ExperimentCell,
  JointOptions,
  JointTestBed,
  MeasureContext,
  MeasuredRepetition,
  SideSetup,
} from '@topo-bench/experiment';
import type { Launcher } from '@topo-bench/loadgen';
import { measureInTurns } from './measure-in-turns.ts';
import { type Side, startSide, warmUpSide } from './side.ts';
import { awaitIdle } from './warm-up-deployment.ts';

export class JointRoutingTestBed implements JointTestBed {
  readonly #sides: readonly Side[];
  readonly #launcher: Launcher | undefined;
  #backlog = false;

  private constructor(sides: readonly Side[], launcher: Launcher | undefined) {
    this.#sides = sides;
    this.#launcher = launcher;
  }

  /**
   * Deploys all sides afresh and warms them up.
   * @throws TopoBenchError what a runner throws; the death of a role when that is why; then nothing is left running
   */
  static async open(
    setups: readonly SideSetup[],
    { runner, launcher, first }: JointOptions,
    context: MeasureContext,
  ): Promise<JointRoutingTestBed> {
    const sides: Side[] = [];
    try {
      context.onPhase('deploy');
      for (const setup of rotated(setups, first)) sides.push(await startSide(setup, runner, context.signal));
      context.onPhase('warm-up');
      // At the same time, so that all get equally warm on a quiet machine and on a busy one.
      await Promise.all(sides.map((side) => warmUpSide(side, context)));
      return new JointRoutingTestBed(sides, launcher);
    } catch (error) {
      await stopAll(sides);
      throw causeOf(error, sides, context.signal);
    }
  }

  /**
   * One repetition of all cells: one per deployment, under the same load.
   * @param cells of deployments that stand here, with the same settings of the load
   * @returns in the order of the cells
   * @throws TopoBenchError what a load throws; the death of a role when that is why
   */
  async measure(
    cells: readonly ExperimentCell[],
    repetition: number,
    context: MeasureContext,
  ): Promise<MeasuredRepetition[]> {
    const places = cells.map((cell) => ({ cell, side: this.#sideOf(cell) }));
    // The sides that start first are also listed first in the load.
    const ordered = [...places].sort((a, b) => this.#sides.indexOf(a.side) - this.#sides.indexOf(b.side));
    try {
      const measured = await measureInTurns(ordered, { context, repetition, launcher: this.#launcher });
      this.#backlog = measured.some(({ entry }) => entry.unfinished > 0);
      return places.map((place) => measured[ordered.indexOf(place)] as MeasuredRepetition);
    } catch (error) {
      throw causeOf(error, this.#sides, context.signal);
    }
  }

  /** Whether the deployments can be measured again, once they are idle. */
  async recover({ settings }: ExperimentCell, { onPhase, signal }: MeasureContext): Promise<boolean> {
    if (this.#sides.some(({ deaths }) => deaths.length > 0)) return false;
    if (!this.#backlog) return true;
    onPhase('drain', 'remaining backlog');
    const idle = await Promise.all(this.#sides.map(({ deployment }) => awaitIdle(deployment, settings.drain, signal)));
    return idle.every(Boolean);
  }

  get hosts(): readonly Host[] {
    return [
      ...new Map(this.#sides.flatMap(({ deployment }) => deployment.hosts).map((host) => [host.id, host])).values(),
    ];
  }

  close(): Promise<void> {
    return stopAll(this.#sides);
  }

  #sideOf(cell: ExperimentCell): Side {
    return this.#sides.find(
      ({ setup }) => setup.cell.deployment === cell.deployment && setup.cell.graph === cell.graph,
    ) as Side;
  }
}

function rotated<T>(items: readonly T[], first: number): T[] {
  return items.map((_, at) => items[(at + first) % items.length] as T);
}

async function stopAll(sides: readonly Side[]): Promise<void> {
  await Promise.all(sides.map(({ deployment }) => deployment.stop()));
}

/** A dead role is the reason for whatever went wrong after it. */
function causeOf(error: unknown, sides: readonly Side[], signal: AbortSignal): unknown {
  return signal.aborted ? error : (sides.flatMap(({ deaths }) => deaths)[0] ?? error);
}
