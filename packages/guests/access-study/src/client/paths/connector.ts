/** A connector reads the store and sends its rows as JSON lines. The client turns them into objects. */
import {
  type LaunchedProgram,
  type Launcher,
  type ProgramEnd,
  requireWhole,
  rowsOfLines,
} from '@topo-bench/connectors';
import { TopoBenchError } from '@topo-bench/core';
import type { Row } from '@topo-bench/sources';
import type { Schema } from 'apache-arrow';
import type { ClientJob } from '../messages.ts';
import { type PathResult, programLimit, type ReadPath, type ReadTools } from '../read-path.ts';
import {
  type ConnectorSource,
  discovered,
  preparedLauncher,
  schemaOf,
  sourceOf,
  streamOf,
} from './connector-source.ts';
import { endedByItself } from './ended-by-itself.ts';
import { programRole, startMarks, storeWire, textOf, timedChunks } from './program-marks.ts';

/** Rows between two checks. */
const checkedRows = 10_000;

export async function openConnector(job: ClientJob): Promise<ReadPath> {
  return preparedLauncher(job, async (launcher) => {
    const source = await sourceOf(job.table, launcher);
    return new ConnectorPath(job, launcher, source, await schemaOf(job.table));
  });
}

class ConnectorPath implements ReadPath {
  readonly #job: ClientJob;
  readonly #launcher: Launcher;
  readonly #source: ConnectorSource;
  /** The types of the columns, for the check: a client of JSON has none. */
  readonly #schema: Schema;
  /** Started before the read that needs it. */
  #waiting: LaunchedProgram | undefined;

  constructor(job: ClientJob, launcher: Launcher, source: ConnectorSource, schema: Schema) {
    this.#job = job;
    this.#launcher = launcher;
    this.#source = source;
    this.#schema = schema;
  }

  async warmUp(tools: ReadTools): Promise<void> {
    await this.read(tools);
    if (this.#job.settings.warm) this.#waiting = await this.#launch(tools, true);
  }

  async read(tools: ReadTools): Promise<PathResult> {
    const { clock } = tools;
    const program = this.#waiting ?? (await this.#launch(tools, false));
    if (this.#waiting) program.begin();
    this.#waiting = undefined;
    try {
      const end = await this.#rows(program, tools);
      clock.ends('return');
      return {
        sender: 'connector',
        roles: { connector: await programRole(program, end) },
        wireBytes: storeWire(this.#source.store, 'connector', end),
      };
    } finally {
      await program.stop();
    }
  }

  async close(): Promise<void> {
    await this.#launcher.close();
  }

  async #launch(tools: ReadTools, held: boolean): Promise<LaunchedProgram> {
    const { clock, signal } = tools;
    const { limitRows } = programLimit(this.#job.settings, tools, held);
    const catalog = await discovered(this.#launcher, this.#source, this.#job.settings, signal);
    clock.ends('discover');
    const { store, config } = this.#source;
    return this.#launcher.launch({
      program: 'connector',
      args: (pathOf) => [
        ...[store, 'read', '--config', pathOf('config.json')],
        ...['--catalog', pathOf('catalog.json')],
        ...(limitRows === undefined ? [] : ['--limit-rows', String(limitRows)]),
      ],
      files: { 'config.json': JSON.stringify(config), 'catalog.json': JSON.stringify(catalog) },
      held,
      signal,
    });
  }

  #batches(
    { output, marks }: LaunchedProgram,
    clock: ReadTools['clock'],
    batchRows: number,
  ): AsyncIterable<readonly Row[]> {
    const chunks = timedChunks(output, clock, () => startMarks(marks, clock));
    return rowsOfLines(textOf(chunks), streamOf(this.#source), this.#schema, batchRows);
  }

  /** @throws TopoBenchError `TB_CONNECTOR_FAILED`, `TB_CONNECTOR_INCOMPLETE`: a partial table is no table */
  async #rows(program: LaunchedProgram, { clock, check, limitRows }: ReadTools): Promise<ProgramEnd | undefined> {
    const size = Math.min(checkedRows, limitRows ?? checkedRows);
    let rows = 0;
    try {
      for await (const batch of this.#batches(program, clock, size)) {
        clock.ends('conversion');
        check.addRows(this.#schema, batch);
        rows += batch.length;
        if (limitRows !== undefined && rows >= limitRows) return undefined;
      }
    } catch (error) {
      if (error instanceof TopoBenchError) throw error;
      const end = await endedByItself(program.ended);
      if (end) requireWhole('the connector', end);
      throw new TopoBenchError('TB_CONNECTOR_FAILED', (error as Error).message, { cause: error });
    }
    const end = await program.ended;
    requireWhole('the connector', end);
    return end;
  }
}
