/**
 * Writes a run folder. After a crash at any time, every finished repetition is readable. A repetition is finished once
 * `cells.json` contains it; its samples are on the disk before. Files are replaced atomically (`atomic-file.ts`).
 * Rewriting a few megabytes for each repetition is cheap compared with measuring it, and readers never see a
 * half-written file.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { repetitionKey, type Sample, TopoBenchError } from '@topo-bench/core';
import type { Cell, FactorLevels, RunRecord } from '@topo-bench/core/schema/result';
import { writeFileAtomically } from './atomic-file.ts';
import { folderError } from './folder-error.ts';
import { makeFolder, privateFile, privateFolder } from './make-folder.ts';
import { pathInRun } from './path-in-run.ts';
import { extended, missingRepetitions, requireSameSetup } from './resume.ts';
import { openRun } from './run-folder.ts';
import { cellsFileName, encodeCell, encodeCheckedCell, encodeRunRecord, joinCells, runFileName } from './run-json.ts';
import { lockFileName, type RunLock, takeLock } from './run-lock.ts';
import { samplesFolderName, samplesPath } from './run-name.ts';
import { encodeSamples } from './samples-file.ts';
import { keepSuperseded } from './superseded.ts';
import { removeUnfinishedFiles } from './unfinished-files.ts';
import { isDisturbed } from './validity.ts';

/**
 * Starts a run in a new or empty folder, and locks the folder until `close`.
 * @throws TopoBenchError `TB_RUN_FOLDER_EXISTS`, `…_LOCKED`, `…_NOT_A_FOLDER`, `…_NOT_WRITABLE`, `…_DISK_FULL`
 */
export async function createRun(folder: string, record: RunRecord): Promise<RunWriter> {
  await makeFolder(folder, privateFolder);
  await requireEmpty(folder);
  const lock = await takeLock(folder);
  try {
    await makeFolder(join(folder, samplesFolderName));
    await writeFileAtomically(join(folder, cellsFileName), joinCells([]), privateFile);
    await writeFileAtomically(join(folder, runFileName), encodeRunRecord(record), privateFile);
  } catch (error) {
    // Leave the folder empty: the same command must work once the cause is removed.
    await rm(join(folder, cellsFileName), { force: true });
    await rm(join(folder, samplesFolderName), { recursive: true, force: true });
    await lock.release();
    throw error;
  }
  return new RunWriter(folder, record, [], lock);
}

/**
 * Resumes a run: removes files that a crash left incomplete, and marks the run as running.
 * @param now set-up of this process; it must equal the one of the run, but may have more repetitions
 * @throws TopoBenchError `TB_RUN_FOLDER_DIFFERENT_EXPERIMENT`, `…_LOCKED`, `…_DAMAGED`, and as `openRun`
 */
export async function resumeRun(folder: string, now?: RunRecord): Promise<RunWriter> {
  const before = await openRun(folder);
  if (now) requireSameSetup(folder, before.record, now);
  const lock = await takeLock(folder);
  try {
    // Read again under the lock: its previous owner may have written since.
    const { record, cells } = await openRun(folder);
    await makeFolder(pathInRun(folder, samplesFolderName));
    await removeUnfinishedFiles(folder, cells);
    const { finishedAt: _finishedAt, failure: _failure, ...started } = record;
    const writer = new RunWriter(folder, extended(started, now), cells, lock);
    await writer.mark('running');
    return writer;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The only writer of a run folder. Calls must not overlap. */
export class RunWriter {
  readonly folder: string;
  #record: RunRecord;
  readonly #lock: RunLock;
  /** Entries with their lines of `cells.json`, by repetition key, in the order measured. */
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

  /** Entry of a repetition; undefined until it is measured. */
  entryOf(factors: FactorLevels, repetition: number): Cell | undefined {
    return this.#entries.get(repetitionKey(factors, repetition))?.cell;
  }

  /** Planned repetitions without an entry, round by round. */
  get missing(): { factors: FactorLevels; repetition: number }[] {
    return missingRepetitions(this.#record, this.cells);
  }

  /** Path of the samples of a repetition's next measurement, relative to the folder. */
  nextSamplesPath(factors: FactorLevels, repetition: number): string {
    const last = this.entryOf(factors, repetition);
    return samplesPath(factors, repetition, last ? (last.discarded?.length ?? 0) + 2 : 1);
  }

  /**
   * Stores a finished repetition durably. On an error, earlier repetitions are unchanged. A remeasured repetition
   * supersedes its last measurement, which is kept as `discarded`, with its samples.
   * @param options.withItsRound the whole round was remeasured, including cells that were not disturbed
   * @returns the entry as stored, with the path of its samples
   * @throws TopoBenchError `TB_RUN_FOLDER_DISK_FULL`, `…_NOT_WRITABLE`, `…_IO`; `TB_INTERNAL` when the repetition
   *   exists and may not be superseded
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
   * Replaces the verdicts of finished repetitions, all or none.
   * @param judged entries of this run, with new verdicts
   * @throws TopoBenchError as `storeRepetition`; `TB_INTERNAL` for an unknown repetition
   */
  async storeVerdicts(judged: readonly Pick<Cell, 'factors' | 'repetition' | 'validity'>[]): Promise<void> {
    await this.#amend(judged, ({ validity }) => ({ validity }));
  }

  /**
   * Replaces the deployments of finished repetitions, all or none: the time of a teardown is known after it.
   * @param entries entries of this run
   * @throws TopoBenchError as `storeVerdicts`
   */
  async storeDeployments(entries: readonly Pick<Cell, 'factors' | 'repetition' | 'deployment'>[]): Promise<void> {
    await this.#amend(entries, ({ deployment }) => ({ deployment }));
  }

  async #amend<Entry extends Pick<Cell, 'factors' | 'repetition'>>(
    amended: readonly Entry[],
    fieldsOf: (entry: Entry) => Partial<Cell>,
  ): Promise<void> {
    const entries = new Map(this.#entries);
    for (const one of amended) {
      const { factors, repetition } = one;
      const key = repetitionKey(factors, repetition);
      const entry = entries.get(key);
      if (!entry)
        throw new TopoBenchError('TB_INTERNAL', `repetition ${repetition} of ${key} is not in ${this.folder}`);
      const cell = { ...entry.cell, ...fieldsOf(one) };
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
    await writeFileAtomically(join(this.folder, stored.samples), encodeSamples(samples), privateFile);
    await this.#writeEntries(entries);
  }

  async #writeEntries(entries: ReadonlyMap<string, { cell: Cell; encoded: string }>): Promise<void> {
    await writeFileAtomically(
      join(this.folder, cellsFileName),
      joinCells([...entries.values()].map((entry) => entry.encoded)),
      privateFile,
    );
    this.#entries = entries;
  }

  /** Writes the status of the run and keeps the lock. */
  async mark(
    status: RunRecord['status'],
    more: Partial<Pick<RunRecord, 'finishedAt' | 'failure' | 'repetitions' | 'hosts' | 'plannedCells' | 'search'>> = {},
  ): Promise<void> {
    const record = { ...this.#record, ...more, status };
    await writeFileAtomically(join(this.folder, runFileName), encodeRunRecord(record), privateFile);
    this.#record = record;
  }

  /**
   * Writes the final status and releases the lock, also when writing fails.
   * @param failure reason, when the status is `failed`
   */
  async finish(status: Exclude<RunRecord['status'], 'running'>, failure?: string): Promise<void> {
    try {
      await this.mark(status, { finishedAt: new Date().toISOString(), ...(failure === undefined ? {} : { failure }) });
    } finally {
      await this.close();
    }
  }

  /** Releases the lock without a change of status. */
  async close(): Promise<void> {
    await this.#lock.release();
  }
}

async function requireEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: unknown) => {
    throw folderError('open', folder, error);
  });
  // Only a lock: another process is creating this run, or crashed while doing so. `takeLock` distinguishes the two.
  if (entries.every((entry) => entry === lockFileName)) return;
  throw new TopoBenchError('TB_RUN_FOLDER_EXISTS', `${folder} is not empty`, {
    hint: entries.includes(runFileName)
      ? `it contains a run: continue it with --resume ${folder}, or choose another --out`
      : 'choose a new or empty folder for --out',
  });
}
