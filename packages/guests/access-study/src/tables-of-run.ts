/** The tables of a run by source and volume: each is loaded, or read once, before its first repetition. */
import { join, resolve } from 'node:path';
import type { RunEnvironment } from '@topo-bench/measured';
import { nameOfTable, type SourceTable } from '@topo-bench/sources';
import { FileFolder } from '@topo-bench/study-kit/file-folder';
import { type StudyServer, StudyServers } from '@topo-bench/study-kit/study-servers';
import { type ExpectedTable, loadExpected } from './expected-table.ts';
import { generatedRows, type LoadedRows, rowsOfDat } from './loaded-rows.ts';
import { ownTable, readOwn } from './own-table.ts';
import type { Access, AccessSource } from './settings-schema.ts';
import { type SourceReach, serverKey } from './source-servers.ts';
import type { TableOfRun } from './table-of-run.ts';

/** Database of loaded collections. */
const mongoDatabase = 'topo_bench_access';

export class TablesOfRun {
  readonly #servers: StudyServers;
  readonly #folder = new FileFolder();
  readonly #expected = new Map<string, ExpectedTable>();
  readonly #datFiles = new Map<string, Promise<LoadedRows>>();

  /** @param reach how the programs of the run reach the server of a source */
  constructor(environment: RunEnvironment, reach: SourceReach) {
    this.#servers = new StudyServers(environment, ({ engine, url, image }) =>
      reach({ source: engine as AccessSource, url, image }),
    );
  }

  /**
   * @param onProgress called with what is being done, in words
   * @throws TopoBenchError what the start of a server, a load or a read throws
   */
  async of(
    access: Access,
    seed: number,
    signal: AbortSignal,
    onProgress: (detail: string) => void,
  ): Promise<TableOfRun> {
    const { source, own, rows, query, url, image } = access;
    const server = source === 'parquet' ? undefined : await this.#servers.of({ engine: source, url, image }, signal);
    const loaded = await this.#loadedRows(access, seed);
    const table = loaded ? await this.#loadedTable(source, loaded, server) : ownTable(own ?? {}, server?.url ?? '');
    const name = loaded?.name ?? nameOfTable(table);
    const key = JSON.stringify([own ?? [rows, seed], serverKey(access)]);
    const present = this.#expected.get(key);
    const shown = (done: number): void =>
      onProgress(`${name}: ${loaded ? 'loading' : 'reading'} ${done.toLocaleString('en-US')} rows`);
    const expected =
      present ??
      (loaded
        ? await loadExpected({ table, ...loaded, signal, onProgress: shown }).catch((error: unknown) => {
            throw server ? server.withWayToSpace(error) : error;
          })
        : await readOwn(table, signal, shown));
    this.#expected.set(key, expected);
    return {
      table,
      name,
      store: server && (await server.identity()),
      address: server?.address,
      containers: server?.container ? [server.container] : [],
      expected: expected[query],
      bytesPerRow: expected.bytesPerRow,
      usage: () => server?.usage() ?? {},
      death: () => server?.death,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#servers.close(), this.#folder.remove()]);
  }

  /** Undefined for data that is read where it is. */
  async #loadedRows({ own, rows }: Access, seed: number): Promise<LoadedRows | undefined> {
    if (own?.dat !== undefined) {
      const path = resolve(own.dat);
      const known = this.#datFiles.get(path) ?? rowsOfDat(path);
      this.#datFiles.set(path, known);
      return known;
    }
    return own ? undefined : generatedRows(rows, seed);
  }

  async #loadedTable(
    source: AccessSource,
    { tableName }: LoadedRows,
    server: StudyServer | undefined,
  ): Promise<SourceTable> {
    const url = server?.url ?? '';
    if (source === 'postgresql') return { kind: source, url, table: tableName };
    if (source === 'mongodb') return { kind: source, url, database: mongoDatabase, collection: tableName };
    return { kind: source, file: join(await this.#folder.path(), `${tableName}.parquet`) };
  }
}
