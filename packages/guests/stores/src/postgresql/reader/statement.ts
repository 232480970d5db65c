/**
 * One query on one connection, in the steps of PostgreSQL's extended protocol. It is described first, and only runs if
 * it returns columns. Its rows are read from the socket with back-pressure. The driver's own queries buffer all rows or
 * fetch them by page, which limits neither memory nor time.
 */

import type { Duplex } from 'node:stream';
import { SqlFailure, type SqlRow, type SqlShape } from '@topo-bench/columns/sql-source';
import type { Client } from 'pg';
import { queryFailure } from './query-failure.ts';

/** Max rows that wait for the caller, as bytes of their messages; beyond it the socket is paused. */
const maxWaitingBytes = 1024 ** 2;
/** Max size of a row: the driver buffers it whole. */
const maxRowBytes = 64 * 1024 ** 2;

export class Statement {
  private connection: WireConnection | undefined;
  private waiting: SqlRow[] = [];
  private waitingBytes = 0;
  /** Bytes of the socket since the last row. */
  private unread = 0;
  private isDone = false;
  /** Whether the database executes it. */
  isRunning = false;
  private failure: SqlFailure | undefined;
  private wake: () => void = () => {};
  private parameterTypeIds: readonly number[] = [];
  private readonly described: Promise<SqlShape>;
  private tell: { shape(shape: SqlShape): void; failure(failure: SqlFailure): void } = { shape() {}, failure() {} };

  /** @param onTooLong closes the connection of an oversized row */
  constructor(
    private readonly client: Client,
    private readonly text: string,
    private readonly onTooLong: (failure: SqlFailure) => void,
  ) {
    this.described = new Promise((resolve, reject) => {
      this.tell = { shape: resolve, failure: reject };
    });
    this.described.catch(() => {});
  }

  /** @throws SqlFailure, also for a statement without result columns */
  describe(): Promise<SqlShape> {
    this.client.query(this as unknown as Parameters<Client['query']>[0]);
    return this.described;
  }

  /** Call after `describe`. */
  async *run(values: SqlRow): AsyncGenerator<readonly SqlRow[], void, void> {
    const connection = this.connection as WireConnection;
    const expected = this.parameterTypeIds.length;
    if (values.length !== expected) {
      throw new SqlFailure('wrong', `wrong number of parameters: got ${values.length}, expected ${expected}`);
    }
    this.isRunning = true;
    connection.bind({ values, valueMapper: (value: unknown) => value });
    connection.execute({});
    connection.sync();
    for (;;) {
      if (this.waiting.length > 0) {
        const rows = this.waiting;
        this.waiting = [];
        this.waitingBytes = 0;
        connection.stream.resume();
        yield rows;
      } else if (this.failure) throw this.failure;
      else if (this.isDone) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Ends the statement for its caller; the owner closes the connection. */
  fail(failure: SqlFailure): void {
    this.failure ??= failure;
    this.tell.failure(this.failure);
    this.wake();
  }

  // The methods below are called by the driver.

  submit(connection: WireConnection): void {
    this.connection = connection;
    connection.on('parameterDescription', ({ dataTypeIDs }) => (this.parameterTypeIds = dataTypeIDs ?? []));
    connection.on('noData', () => {
      const message = 'the statement gives no columns: only queries are answered here, nothing is changed';
      this.fail(new SqlFailure('denied', message, { hint: 'send a SELECT, VALUES, TABLE, SHOW or EXPLAIN' }));
    });
    connection.stream.on('data', (bytes: Uint8Array) => this.watchLength(bytes.length));
    connection.parse({ text: this.text });
    connection.describe({ type: 'S' });
    connection.flush();
  }

  handleRowDescription({ fields }: { fields: readonly WireField[] }): void {
    const columns = fields.map(({ name, dataTypeID, dataTypeModifier }) => ({
      name,
      typeId: dataTypeID,
      modifier: dataTypeModifier,
    }));
    this.tell.shape({ columns, parameterTypeIds: this.parameterTypeIds });
  }

  handleDataRow({ fields, length }: { fields: SqlRow; length: number }): void {
    this.unread = 0;
    this.waiting.push(fields);
    this.waitingBytes += length;
    if (this.waitingBytes > maxWaitingBytes) this.connection?.stream.pause();
    this.wake();
  }

  handleCommandComplete(): void {
    this.isDone = true;
    this.isRunning = false;
    this.wake();
  }

  handleError(error: unknown): void {
    this.isRunning = false;
    this.fail(queryFailure(error, this.text));
  }

  handleReadyForQuery(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  private watchLength(bytes: number): void {
    this.unread += bytes;
    if (this.unread <= maxRowBytes || this.failure) return;
    const limit = `${maxRowBytes / 1024 ** 2} MiB`;
    const failure = new SqlFailure('too-large', `a row of the result exceeds ${limit}`, {
      hint: 'select parts of it',
    });
    this.fail(failure);
    this.onTooLong(failure);
  }
}

/** The part of the driver's connection that a statement uses; the published types belong to an older release. */
interface WireField {
  name: string;
  dataTypeID: number;
  dataTypeModifier: number;
}

interface WireConnection {
  readonly stream: Duplex;
  parse(query: { text: string }): void;
  describe(what: { type: 'S' }): void;
  bind(config: { values: readonly (string | null)[]; valueMapper(value: unknown): unknown }): void;
  execute(config: object): void;
  flush(): void;
  sync(): void;
  on(event: 'parameterDescription' | 'noData', listener: (message: { dataTypeIDs?: number[] }) => void): void;
}
