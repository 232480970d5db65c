/** A test bed that stays open from load to load while it recovers; otherwise the next load gets a new one. */
import { withDeploymentCost } from '@topo-bench/results';
import type {
  ExperimentCell,
  JointOptions,
  JointTestBed,
  MeasureContext,
  MeasuredRepetition,
  TestBed,
} from '@topo-bench/trial';
import type { Session } from './session.ts';

export interface BedOptions {
  /** Deploys all cells together, whatever their settings are. Default: the cells of `deploy: interleaved`. */
  together?: JointOptions | undefined;
  /** Called after each deployment. */
  onDeployed?: () => void;
  /**
   * Called with the duration of a teardown and the cells that were measured on its deployment. Not called for
   * deployments that stopped together, nor after a failure. Without it, entries get no cost of their deployment.
   */
  onStopped?: ((cells: readonly ExperimentCell[], repetition: number, stopMs: number) => Promise<void>) | undefined;
}

interface OpenBed {
  bed: JointTestBed;
  measured: ExperimentCell[];
  /** Whether it has one deployment. */
  isAlone: boolean;
}

export class KeptBed {
  readonly #session: Session;
  readonly #options: BedOptions;
  #open: OpenBed | undefined;

  constructor(session: Session, options: BedOptions = {}) {
    this.#session = session;
    this.#options = options;
  }

  /**
   * @param load cells to measure at the same time
   * @param members cells to measure on this bed, now or later, which a new bed deploys
   * @returns in the order of the load
   */
  async measure(
    load: readonly ExperimentCell[],
    members: readonly ExperimentCell[],
    repetition: number,
    context: MeasureContext,
  ): Promise<MeasuredRepetition[]> {
    const open = await this.#bedFor(load, members, repetition, context);
    const measured = await open.bed.measure(load, repetition, context);
    open.measured.push(...load);
    return this.#options.onStopped ? this.#withCost(load, measured) : measured;
  }

  async close(repetition: number): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    const startMs = performance.now();
    await open.bed.close();
    const stopMs = performance.now() - startMs;
    if (open.isAlone && open.measured.length > 0) await this.#options.onStopped?.(open.measured, repetition, stopMs);
  }

  /** Closes it after a failure. */
  async abandon(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.bed.close();
  }

  async #bedFor(
    load: readonly ExperimentCell[],
    members: readonly ExperimentCell[],
    repetition: number,
    context: MeasureContext,
  ): Promise<OpenBed> {
    const [next] = load as [ExperimentCell];
    context.signal.throwIfAborted();
    if (this.#open && (await this.#open.bed.recover(next, context))) return this.#open;
    await this.close(repetition);
    context.onPhase('deploy');
    const { backend } = this.#session;
    const { together, onDeployed } = this.#options;
    const isAlone = !together && next.settings.deploy !== 'interleaved';
    const bed = isAlone
      ? aloneOn(await backend.deploy(next, context))
      : await backend.deployTogether(members, context, together);
    this.#open = { bed, measured: [], isAlone };
    onDeployed?.();
    await this.#session.recordHosts(bed.hosts);
    return this.#open;
  }

  async #withCost(
    cells: readonly ExperimentCell[],
    repetitions: readonly MeasuredRepetition[],
  ): Promise<MeasuredRepetition[]> {
    const { backend } = this.#session;
    return Promise.all(
      repetitions.map(async (repetition, at) => {
        const cost = repetition.entry.deployment && (await backend.figuresOf?.(cells[at] as ExperimentCell));
        return cost ? { ...repetition, entry: withDeploymentCost(repetition.entry, cost) } : repetition;
      }),
    );
  }
}

/** A test bed that measures one cell at a time. */
function aloneOn(bed: TestBed): JointTestBed {
  return {
    ...(bed.hosts && { hosts: bed.hosts }),
    measure: ([cell], repetition, context) =>
      bed.measure(cell as ExperimentCell, repetition, context).then((measured) => [measured]),
    recover: (next, context) => bed.recover(next, context),
    close: () => bed.close(),
  };
}
