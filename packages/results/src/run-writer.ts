/**
 * Writes a run folder so that a crash at any moment leaves every finished repetition readable. A repetition is finished when
 * `cells.json` names it; its samples are on the disk before. Both files are replaced as a whole (see `atomic-file.ts`): rewriting
 * a few megabytes once per repetition costs nothing beside measuring it, and no reader ever meets a half-written journal.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { repetitionKey, type Sample, TopoBenchError } from '@topo-bench/core';
import type { Cell, FactorLevels, RunRecord } from '@topo-bench/core/schema/result';
import { writeFileAtomically } from './atomic-file.ts';
import { isDisturbed } from './disturbed.ts';
import { folderError } from './folder-error.ts';
import { makeFolder } from './make-folder.ts';
import { pathInRun } from './path-in-run.ts';
import { missingRepetitions, requireSameSetup } from './resume.ts';
import { openRun } from './run-folder.ts';
import { cellsFileName, encodeCell, encodeCheckedCell, encodeRunRecord, joinCells, runFileName } from './run-json.ts';
import { lockFileName, type RunLock, takeLock } from './run-lock.ts';
import { samplesFolderName, samplesPath } from './run-name.ts';
import { encodeSamples } from './samples-file.ts';
import { keepSuperseded } from './superseded.ts';
import { removeUnfinishedFiles } from './unfinished-files.ts';

/**
 * Starts a run in a folder that is new or empty, and holds its lock until `close`.
 * @throws TopoBenchError `TB_RUN_FOLDER_EXISTS`, `…_LOCKED`, `…_NOT_A_FOLDER`, `…_NOT_WRITABLE`, `…_DISK_FULL`
 */
export async function createRun(folder: string, record: RunRecord): Promise<RunWriter> {
  await makeFolder(folder);
  await requireEmpty(folder);
  const lock = await takeLock(folder);
  try {
    await makeFolder(join(folder, samplesFolderName));
    await writeFileAtomically(join(folder, cellsFileName), joinCells([]));
    await writeFileAtomically(join(folder, runFileName), encodeRunRecord(record));
  } catch (error) {
    // Nothing of a run that never began stays, so that the same command works once there is room.
    await rm(join(folder, cellsFileName), { force: true });
    await rm(join(folder, samplesFolderName), { recursive: true, force: true });
    await lock.release();
    throw error;
  }
  return new RunWriter(folder, record, [], lock);
}

/**
 * Continues a run: clears away what a crash left half-written, and marks the run as running again.
 * @param now the set-up of the process that continues; refused when it is not the one that the run was started with
 * @throws TopoBenchError `TB_RUN_FOLDER_DIFFERENT_EXPERIMENT`, `…_LOCKED`, `…_DAMAGED` and what `openRun` throws
 */
export async function resumeRun(folder: string, now?: RunRecord): Promise<RunWriter> {
  const before = await openRun(folder);
  if (now) requireSameSetup(folder, before.record, now);
  const lock = await takeLock(folder);
  try {
    // Read again under the lock: the previous holder may have written since.
    const { record, cells } = await openRun(folder);
    await makeFolder(pathInRun(folder, samplesFolderName));
    await removeUnfinishedFiles(folder, cells);
    const { finishedAt: _finishedAt, failure: _failure, ...started } = record;
    const writer = new RunWriter(folder, started, cells, lock);
    await writer.mark('running');
    return writer;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The one writer of a run folder. Calls must not overlap: repetitions are measured one after the other. */
export class RunWriter {
  readonly folder: string;
  #record: RunRecord;
  readonly #lock: RunLock;
  /** Each with its line of `cells.json`, by the key of its repetition, in the order measured. */
  #entries: ReadonlyMap<string, { cell: Cell; encoded: string }>;

  /** Use `createRun` or `resumeRun`. */
  constructor(folder: string, record: RunRecord, cells: readonly Cell[], lock: RunLock) {
    this.folder = folder;
    this.#record = record;
    this.#lock = lock;
    this.#entries = new Map(
      cells.map((cell) => [repetitionKey(cell.factors, cell.repetition), { cell, encoded: encodeCell(cell) }]),
    );
  }

  get record(): RunRecord {
    return this.#record;
  }

  /** Finished repetitions in the order measured. */
  get cells(): readonly Cell[] {
    return [...this.#entries.values()].map(({ cell }) => cell);
  }

  /** Undefined while the repetition has not been measured. */
  entryOf(factors: FactorLevels, repetition: number): Cell | undefined {
    return this.#entries.get(repetitionKey(factors, repetition))?.cell;
  }

  /** What has no entry yet, round by round. */
  get missing(): { factors: FactorLevels; repetition: number }[] {
    return missingRepetitions(this.#record, this.cells);
  }

  /** Where the samples of a repetition's next measurement go, relative to the folder. */
  nextSamplesPath(factors: FactorLevels, repetition: number): string {
    const last = this.entryOf(factors, repetition);
    return samplesPath(factors, repetition, last ? (last.discarded?.length ?? 0) + 2 : 1);
  }

  /**
   * Stores a finished repetition; when this returns it survives a crash, and when it throws the ones before are untouched. One that was
   * measured again takes the place of its last measurement, which is kept as `discarded`, with its samples.
   * @param options.withItsRound cells that took turns were measured again together, also those that had left in time
   * @returns the entry as stored, with the path of its samples
   * @throws TopoBenchError `TB_RUN_FOLDER_DISK_FULL`, `…_NOT_WRITABLE`, `…_IO`; `TB_INTERNAL` when there is one that must stay
   */
  async storeRepetition(
    entry: Cell,
    samples: readonly Sample[],
    { withItsRound = false }: { withItsRound?: boolean } = {},
  ): Promise<Cell> {
    const { factors, repetition } = entry;
    const last = this.entryOf(factors, repetition);
    if (last && !isDisturbed(last.validity) && !withItsRound) {
      throw new TopoBenchError(
        'TB_INTERNAL',
        `repetition ${repetition} of ${JSON.stringify(factors)} is already in ${this.folder}`,
      );
    }
    const path = this.nextSamplesPath(factors, repetition);
    const discarded = last && [...(last.discarded ?? []), await keepSuperseded(this.folder, last)];
    const stored = { ...entry, ...(discarded && { discarded }), samples: path };
    await this.#write(stored, samples);
    if (last?.samples) await rm(pathInRun(this.folder, last.samples), { force: true });
    return stored;
  }

  /**
   * Replaces the verdicts on finished repetitions, all at once: after a crash either all are old or all are new.
   * @param judged entries of this run, with other verdicts
   * @throws TopoBenchError as `storeRepetition`; `TB_INTERNAL` when one of them is not in the run
   */
  async storeVerdicts(judged: readonly Pick<Cell, 'factors' | 'repetition' | 'validity'>[]): Promise<void> {
    const entries = new Map(this.#entries);
    for (const { factors, repetition, validity } of judged) {
      const key = repetitionKey(factors, repetition);
      const entry = entries.get(key);
      if (!entry)
        throw new TopoBenchError('TB_INTERNAL', `repetition ${repetition} of ${key} is not in ${this.folder}`);
      const cell = { ...entry.cell, validity };
      entries.set(key, { cell, encoded: encodeCheckedCell(cell) });
    }
    await this.#writeEntries(entries);
  }

  async #write(stored: Cell & { samples: string }, samples: readonly Sample[]): Promise<void> {
    const encoded = encodeCheckedCell(stored);
    const key = repetitionKey(stored.factors, stored.repetition);
    const entries = new Map(this.#entries);
    entries.delete(key);
    entries.set(key, { cell: stored, encoded });
    await writeFileAtomically(join(this.folder, stored.samples), encodeSamples(samples));
    await this.#writeEntries(entries);
  }

  async #writeEntries(entries: ReadonlyMap<string, { cell: Cell; encoded: string }>): Promise<void> {
    await writeFileAtomically(
      join(this.folder, cellsFileName),
      joinCells([...entries.values()].map((entry) => entry.encoded)),
    );
    this.#entries = entries;
  }

  /** Writes the run's status without ending it. */
  async mark(
    status: RunRecord['status'],
    more: Partial<Pick<RunRecord, 'finishedAt' | 'failure' | 'repetitions' | 'hosts'>> = {},
  ): Promise<void> {
    const record = { ...this.#record, ...more, status };
    await writeFileAtomically(join(this.folder, runFileName), encodeRunRecord(record));
    this.#record = record;
  }

  /**
   * Writes how the run ended and gives the folder free, also when writing fails.
   * @param failure why, when the status is `failed`
   */
  async finish(status: Exclude<RunRecord['status'], 'running'>, failure?: string): Promise<void> {
    try {
      await this.mark(status, { finishedAt: new Date().toISOString(), ...(failure === undefined ? {} : { failure }) });
    } finally {
      await this.close();
    }
  }

  /** Gives the folder free; its status stays as last written. */
  async close(): Promise<void> {
    await this.#lock.release();
  }
}

async function requireEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: unknown) => {
    throw folderError('open', folder, error);
  });
  // A lock alone: another process is creating this run right now, or died doing so. The lock tells which.
  if (entries.every((entry) => entry === lockFileName)) return;
  throw new TopoBenchError('TB_RUN_FOLDER_EXISTS', `${folder} is not empty`, {
    hint: entries.includes(runFileName)
      ? `it holds a run: continue it with --resume ${folder}, or choose another --out`
      : 'choose a new or empty folder for --out',
  });
}
