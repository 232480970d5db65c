/**
 * Joint deployments that take turns under load, so disturbances of the machine affect all of them. `deploy:
 * interleaved` and the two sides of a gate both use it.
 */
import type { Host } from '@topo-bench/core/schema/result';
import type { JointSetup, SideSetup } from '@topo-bench/measured';
import type { ExperimentCell, JointTestBed, MeasureContext, MeasuredRepetition } from '@topo-bench/trial';
import { measureInTurns } from './measure-in-turns.ts';
import { type Side, startSide, verdictOn, warmUpSide } from './side.ts';
import { awaitIdle } from './warm-up-deployment.ts';

export class JointRoutingTestBed implements JointTestBed {
  readonly #sides: readonly Side[];
  readonly #options: Pick<JointSetup, 'launcher' | 'leaveOutLate'>;
  #backlog = false;

  private constructor(sides: readonly Side[], options: JointSetup) {
    this.#sides = sides;
    this.#options = options;
  }

  /**
   * Deploys all sides afresh and warms them up.
   * @throws TopoBenchError errors of the runner, or the death of a role that caused them; all processes are stopped by
   *   then
   */
  static async open(
    setups: readonly SideSetup[],
    options: JointSetup,
    context: MeasureContext,
  ): Promise<JointRoutingTestBed> {
    const { runnerOf, first = 0, profile } = options;
    const sides: Side[] = [];
    try {
      context.onPhase('deploy');
      const ordered = rotated(setups, first);
      const start = async (setup: SideSetup): Promise<void> => {
        sides.push(await startSide(setup, { runner: await runnerOf(setup.cell), profile, signal: context.signal }));
      };
      for (const [at, setup] of ordered.entries()) {
        await start(setup).catch(async (error: unknown) => {
          // What breaks both sides is no verdict on the one that starts first.
          for (const other of ordered.slice(at + 1)) await start(other);
          throw sides.length > 0 ? verdictOn(setup.cell.side, error) : error;
        });
      }
      context.onPhase('warm-up');
      // Joint warm-up: all sides get equally warm, on an idle machine and on a busy one.
      await Promise.all(sides.map((side) => warmUpSide(side, context)));
      return new JointRoutingTestBed(sides, options);
    } catch (error) {
      await stopAll(sides);
      throw causeOf(error, sides, context.signal);
    }
  }

  /**
   * One repetition of all cells: one per deployment, under the same load.
   * @param cells of these deployments, with the same settings of the load
   * @returns in the order of the cells
   * @throws TopoBenchError errors of the load, or the death of a role that caused them
   */
  async measure(
    cells: readonly ExperimentCell[],
    repetition: number,
    context: MeasureContext,
  ): Promise<MeasuredRepetition[]> {
    const places = cells.map((cell) => ({ cell, side: this.#sideOf(cell) }));
    // The sides that started first are also first in the load.
    const ordered = [...places].sort((a, b) => this.#sides.indexOf(a.side) - this.#sides.indexOf(b.side));
    try {
      const measured = await measureInTurns(ordered, { context, repetition, ...this.#options });
      this.#backlog = measured.some(({ entry }) => entry.unfinished > 0);
      return places.map((place) => measured[ordered.indexOf(place)] as MeasuredRepetition);
    } catch (error) {
      throw causeOf(error, this.#sides, context.signal);
    }
  }

  /** Waits until the deployments are idle; false if they cannot be reused. */
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

/** The death of a role causes all later errors. */
function causeOf(error: unknown, sides: readonly Side[], signal: AbortSignal): unknown {
  return signal.aborted ? error : (sides.flatMap(({ deaths }) => deaths)[0] ?? error);
}
