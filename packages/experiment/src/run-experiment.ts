/**
 * A run: round by round over its cells in shuffled order, each repetition on the disk before the next begins. Whatever
 * ends it, everything is torn down and what is finished stays; the same call continues it.
 */

import { TopoBenchError } from '@topo-bench/core';
import { cellKey } from '@topo-bench/core/cell-key';
import type { Cell, RunRecord } from '@topo-bench/core/schema/result';
import { createRun, openRun, RequestsFile, type RunWriter, resumeRun } from '@topo-bench/results';
import type { Backend, JointTestBed, MeasureContext, MeasuredRepetition, TestBed } from './backend.ts';
import type { ExperimentCell } from './build-cell.ts';
import { estimateRun, type RunEstimate } from './estimate-run.ts';
import { failedRepetition } from './failed-repetition.ts';
import { type Comparison, comparisonOf, heldTogether, heldToOneLagLimit } from './one-lag-limit.ts';
import { recordHosts } from './record-hosts.ts';
import { RemainingTime } from './remaining-time.ts';
import { measuredAgain, mostMeasuredAgain } from './remeasure.ts';
import type { ResolvedExperiment } from './resolve-experiment.ts';
import { type DeployedGroup, groupNames, roundPlan } from './round-plan.ts';
import type { Phase, RunEvent } from './run-event.ts';
import { newRunRecord, type RunIdentity } from './run-record.ts';
import { writeSpans } from './spans-file.ts';
import { mixedServers, requireSameServers } from './stores/run-servers.ts';

export interface RunOptions extends Omit<RunIdentity, 'startedAt'> {
  folder: string;
  /** Whether the folder holds a run to continue. */
  resume: boolean;
  /** Whether it may be continued with stores on other database servers than before. */
  allowOtherServers?: boolean | undefined;
  backend: Backend;
  onEvent?: (event: RunEvent) => void;
  signal: AbortSignal;
}

export interface RunResult {
  folder: string;
  record: RunRecord;
  /** Every finished repetition, those of earlier sessions of the run included. */
  cells: readonly Cell[];
}

/**
 * @throws TopoBenchError `TB_INTERRUPTED` after the signal; what the run folder throws; the error of the first deployment
 *   when not even that succeeds
 */
export async function runExperiment(resolved: ResolvedExperiment, options: RunOptions): Promise<RunResult> {
  const record = newRunRecord(resolved, { ...options, startedAt: new Date() });
  const { folder, resume, backend, allowOtherServers } = options;
  if (resume && !allowOtherServers) {
    requireSameServers(folder, (await openRun(folder)).record.storeServers, record.storeServers ?? []);
  }
  // Before anything is written: whether this machine bears the deployments.
  groupNames(resolved.cells);
  await backend.check?.(resolved.cells);
  const writer = resume ? await resumeRun(folder, record) : await createRun(folder, record);
  const run = new Run(resolved, options, writer);
  try {
    await run.measureAll();
    await writer.finish('finished');
  } catch (error) {
    throw await ended(error, writer, options.signal);
  } finally {
    await backend.close?.();
  }
  return { folder, record: writer.record, cells: writer.cells };
}

/** Marks how the run ended; what goes wrong with that must not hide why it ended. */
async function ended(error: unknown, writer: RunWriter, signal: AbortSignal): Promise<unknown> {
  const hint = `finished repetitions are kept; continue with: topo-bench run --resume ${writer.folder}`;
  const failure = signal.aborted ? new TopoBenchError('TB_INTERRUPTED', 'the run was interrupted', { hint }) : error;
  const message = failure instanceof Error ? failure.message : String(failure);
  await (signal.aborted ? writer.finish('interrupted') : writer.finish('failed', message)).catch(() => undefined);
  return failure;
}

class Run {
  readonly #resolved: ResolvedExperiment;
  readonly #options: RunOptions;
  readonly #writer: RunWriter;
  readonly #estimate: RunEstimate;
  readonly #remaining: RemainingTime;
  #requests: RequestsFile | undefined;
  /** By the key of its levels: the cells that take turns with a cell, itself included. */
  readonly #mates: ReadonlyMap<string, readonly ExperimentCell[]>;
  readonly #comparison: Comparison;
  /** Whether any deployment of this session has worked. */
  #deployedOnce = false;

  constructor(resolved: ResolvedExperiment, options: RunOptions, writer: RunWriter) {
    this.#resolved = resolved;
    this.#options = options;
    this.#writer = writer;
    this.#comparison = comparisonOf(resolved);
    this.#estimate = estimateRun(resolved);
    const loads = roundPlan(resolved.cells, resolved.experiment.seed, 1).flatMap((group) => group.loads);
    this.#mates = new Map(loads.flatMap((load) => load.map(({ levels }) => [cellKey(levels), load] as const)));
    const open = this.#rounds().flatMap((repetition) => this.#open(repetition).flatMap(({ members }) => [...members]));
    this.#remaining = new RemainingTime(open.reduce((sum, cell) => sum + this.#estimate.secondsOf(cell), 0));
  }

  async measureAll(): Promise<void> {
    const { folder } = this.#writer;
    this.#tell({ kind: 'started', runDir: folder, ...this.#progress() });
    for (const repetition of this.#rounds()) {
      // A run that was cut off may have left a round that is measured and not judged.
      await this.#judgeRound(repetition);
      // What is measured again comes at the end of its round: away from what made it late, and on a deployment of its own.
      for (let groups = this.#open(repetition); groups.length > 0; groups = this.#open(repetition)) {
        for (const group of groups) await this.#measureGroup(group, repetition);
        await this.#judgeRound(repetition);
      }
    }
  }

  /** Once all cells are measured, the smallest median is known: from then on one limit of the lag holds for all that are compared. */
  async #judgeRound(repetition: number): Promise<void> {
    const entries = this.#resolved.cells.flatMap(({ levels }) => this.#writer.entryOf(levels, repetition) ?? []);
    const judged = heldToOneLagLimit(entries, this.#comparison);
    const changed = entries.flatMap((was, at) => (judged[at] === was ? [] : [{ was, is: judged[at] as Cell }]));
    if (changed.length === 0) return;
    const before = this.#again();
    await this.#writer.storeVerdicts(changed.map(({ is }) => is));
    for (const { was, is } of changed) if (was.validity.valid !== is.validity.valid) this.#judgedAnew(is, before.has(was));
  }

  /** @param before whether the repetition was to be measured again */
  #judgedAnew({ factors, repetition }: Cell, before: boolean): void {
    const entry = this.#writer.entryOf(factors, repetition) as Cell;
    const again = this.#again().has(entry);
    const cell = this.#resolved.cells.find(({ levels }) => cellKey(levels) === cellKey(factors)) as ExperimentCell;
    this.#remaining.added((Number(again) - Number(before)) * this.#estimate.secondsOf(cell));
    this.#tell({ kind: 'repetition', entry, again, ...this.#progress() });
  }

  #rounds(): number[] {
    return Array.from({ length: this.#resolved.experiment.repetitions }, (_, index) => index + 1);
  }

  /**
   * What is left to do of a round. The order is that of the whole plan, so that a run that was cut off goes on as it would have. Cells that take
   * turns are measured together, so all of a load are open when one of them is.
   */
  #open(repetition: number): DeployedGroup[] {
    const { cells, experiment } = this.#resolved;
    const again = this.#again();
    const isOpen = ({ levels }: ExperimentCell): boolean => {
      const entry = this.#writer.entryOf(levels, repetition);
      return entry === undefined || again.has(entry);
    };
    return roundPlan(cells, experiment.seed, repetition)
      .map(({ loads }) => loads.filter((load) => load.some(isOpen)))
      .filter((loads) => loads.length > 0)
      .map((loads) => ({ members: loads.flat(), loads }));
  }

  /**
   * Entries that are to be measured again: those that were disturbed, and what took turns with them. A round in which
   * anything else went wrong stands as it is: a fault must not give way to a better measurement.
   */
  #again(): ReadonlySet<Cell> {
    const { cells, experiment } = this.#resolved;
    const max = mostMeasuredAgain(cells.length * experiment.repetitions, experiment.validity.remeasure);
    const rounds = [...measuredAgain(this.#writer.cells, max)].map((entry) => [
      entry,
      ...(this.#mates.get(cellKey(entry.factors)) ?? []).flatMap(
        ({ levels }) => this.#writer.entryOf(levels, entry.repetition) ?? [],
      ),
    ]);
    return new Set(rounds.filter((round) => round.every(({ validity }) => validity.valid || validity.onlyLate)).flat());
  }

  /** Loads that share deployments; what one leaves behind that would touch the next costs a new deployment. */
  async #measureGroup({ loads }: DeployedGroup, repetition: number): Promise<void> {
    let bed: JointTestBed | undefined;
    try {
      for (const [at, cells] of loads.entries()) {
        const startMs = performance.now();
        const context = this.#contextOf(cells, repetition);
        let measured: MeasuredRepetition[];
        try {
          bed = await this.#testBedFor(loads.slice(at).flat(), bed, context);
          measured = heldTogether(await bed.measure(cells, repetition, context), this.#comparison);
        } catch (error) {
          await bed?.close();
          bed = undefined;
          measured = this.#survived(cells, repetition, error);
        }
        const seconds = secondsSince(startMs) / cells.length;
        const stored: Cell[] = [];
        for (const repetition of measured) stored.push(await this.#store(repetition, cells.length > 1));
        for (const [place, cell] of cells.entries()) {
          this.#finished(cell, stored[place] as Cell, { seconds, toTell: cells.length - 1 - place });
        }
      }
    } finally {
      await bed?.close();
    }
  }

  /**
   * The open test bed, if it can be used again; else a new one.
   * @param cells to be measured on it, those of the next load first
   */
  async #testBedFor(
    cells: readonly ExperimentCell[],
    present: JointTestBed | undefined,
    context: MeasureContext,
  ): Promise<JointTestBed> {
    const [next] = cells as [ExperimentCell];
    context.signal.throwIfAborted();
    if (await present?.recover(next, context)) return present as JointTestBed;
    await present?.close();
    context.onPhase('deploy');
    const { backend } = this.#options;
    const bed =
      next.settings.deploy === 'interleaved'
        ? await backend.deployTogether(cells, context)
        : aloneOn(await backend.deploy(next, context.signal));
    this.#deployedOnce = true;
    await recordHosts(this.#writer, bed.hosts);
    return bed;
  }

  /**
   * A deployment or a measurement that fails makes its repetition invalid and lets the others go on, unless nothing has
   * worked yet.
   * @throws the error when the run cannot go on
   */
  #survived(cells: readonly ExperimentCell[], repetition: number, error: unknown): MeasuredRepetition[] {
    const ends = !(error instanceof TopoBenchError) || error.code.startsWith('TB_RUN_FOLDER_') || error.code === 'TB_INTERNAL';
    if (ends || this.#options.signal.aborted || !this.#deployedOnce) throw error;
    this.#tell({ kind: 'warning', message: `${error.code}: ${error.message}` });
    const { backend } = this.#options;
    return cells.map((cell) => failedRepetition(cell, repetition, error, backend.source));
  }

  #contextOf(cells: readonly ExperimentCell[], repetition: number): MeasureContext {
    const [{ levels }, ...others] = cells as [ExperimentCell];
    const more = others.length === 0 ? {} : { others: others.length };
    const onPhase = (phase: Phase, detail?: string): void =>
      this.#tell({ kind: 'phase', phase, cell: levels, repetition, ...more, ...(detail !== undefined && { detail }) });
    return { signal: this.#options.signal, onPhase };
  }

  /** @param withItsRound the cell took turns with others */
  async #store({ entry, samples, requests, spans }: MeasuredRepetition, withItsRound: boolean): Promise<Cell> {
    // Requests and spans first: once the entry is there, the repetition is finished and is not measured again.
    if (requests.length > 0) {
      this.#requests ??= await RequestsFile.open(this.#writer.folder);
      await this.#requests.append({ repetition: entry.repetition }, requests);
    }
    await writeSpans(this.#writer.folder, this.#writer.nextSamplesPath(entry.factors, entry.repetition), spans);
    const mixed = mixedServers(this.#writer.cells, entry);
    if (mixed !== undefined) this.#tell({ kind: 'warning', message: mixed });
    return this.#writer.storeRepetition(entry, samples, { withItsRound });
  }

  /** @param toTell stored cells of the same load of which nobody has been told yet */
  #finished(cell: ExperimentCell, stored: Cell, { seconds, toTell }: { seconds: number; toTell: number }): void {
    const guess = this.#estimate.secondsOf(cell);
    this.#remaining.finished(guess, seconds);
    const again = this.#again().has(stored);
    if (again) this.#remaining.added(guess);
    const { finished, ...progress } = this.#progress();
    this.#tell({ kind: 'repetition', entry: stored, again, ...progress, finished: again ? finished : finished - toTell });
  }

  #progress(): { finished: number; repetitions: number; remainingSeconds: number } {
    return {
      finished: this.#writer.cells.length - this.#again().size,
      repetitions: this.#resolved.cells.length * this.#resolved.experiment.repetitions,
      remainingSeconds: this.#remaining.seconds,
    };
  }

  #tell(event: RunEvent): void {
    this.#options.onEvent?.(event);
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

function secondsSince(startMs: number): number {
  return (performance.now() - startMs) / 1e3;
}
