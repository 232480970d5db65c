/**
 * The optional file `requests.ndjson`: every generated request, one JSON document per line. It allows independent
 * checks of decisions. A request that several cells share is written once.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type GatewayRequest, TopoBenchError } from '@topo-bench/core';
import { folderError } from './folder-error.ts';
import { privateFile } from './make-folder.ts';
import { pathInRun } from './path-in-run.ts';

const requestsFileName = 'requests.ndjson';

/** Identifies a sequence of requests within a run, e.g. `{ repetition: 2 }`. Part of each line. */
export type SequenceKey = Record<string, string | number | boolean>;

/** A line of the file. */
export interface KeptRequest extends GatewayRequest {
  sequence: SequenceKey;
  id: string;
}

/**
 * Reads all kept requests of a run in the order written. Yields nothing when requests were not kept.
 * @throws TopoBenchError `TB_RUN_FOLDER_DAMAGED` with the line of the file
 */
export async function* readRequests(folder: string): AsyncGenerator<KeptRequest> {
  const path = pathInRun(folder, requestsFileName);
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw folderError('read', path, error);
  });
  if (!file) return;
  try {
    yield* requestsIn(path, file);
  } finally {
    await file.close();
  }
}

export class RequestsFile {
  readonly #path: string;
  readonly #written: Set<string>;

  private constructor(path: string, written: Set<string>) {
    this.#path = path;
    this.#written = written;
  }

  /**
   * Opens or creates the file in a run folder that the caller has locked. Removes a last line that a crash cut off.
   * @throws TopoBenchError `TB_RUN_FOLDER_DAMAGED`, `TB_RUN_FOLDER_NOT_WRITABLE`, …
   */
  static async open(folder: string): Promise<RequestsFile> {
    const path = join(folder, requestsFileName);
    try {
      await using(path, 'a+', removeTornLine);
      return new RequestsFile(path, await using(path, 'r', (file) => identitiesIn(path, file)));
    } catch (error) {
      throw folderError('open', path, error);
    }
  }

  /**
   * Appends the requests that the file lacks, all or nothing. They are flushed to the disk when the promise resolves.
   * @throws TopoBenchError `TB_RUN_FOLDER_DISK_FULL`, `TB_RUN_FOLDER_NOT_WRITABLE`, …
   */
  async append(sequence: SequenceKey, requests: Iterable<GatewayRequest & { id: string }>): Promise<void> {
    const added = new Map<string, string>();
    for (const request of requests) {
      const identity = identityOf(sequence, request.id);
      if (!this.#written.has(identity)) added.set(identity, `${JSON.stringify({ sequence, ...request })}\n`);
    }
    if (added.size === 0) return;
    try {
      await using(this.#path, 'a', (file) => appendAllOrNothing(file, [...added.values()].join('')));
    } catch (error) {
      throw folderError('write', this.#path, error);
    }
    for (const identity of added.keys()) this.#written.add(identity);
  }
}

async function appendAllOrNothing(file: FileHandle, text: string): Promise<void> {
  const { size } = await file.stat();
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await file.truncate(size).catch(() => undefined);
    throw error;
  }
}

/** Truncates the file after its last line break, which is expected within the last MiB. */
async function removeTornLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  const start = Math.max(0, size - 1024 * 1024);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  const end = start + buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
  if (end < size) await file.truncate(end);
}

async function identitiesIn(path: string, file: FileHandle): Promise<Set<string>> {
  const identities = new Set<string>();
  for await (const { sequence, id } of requestsIn(path, file)) identities.add(identityOf(sequence, id));
  return identities;
}

async function* requestsIn(path: string, file: FileHandle): AsyncGenerator<KeptRequest> {
  let lines = 0;
  for await (const line of file.readLines()) {
    lines++;
    try {
      yield JSON.parse(line) as KeptRequest;
    } catch (cause) {
      const place = { file: path, line: lines, column: 1 };
      throw new TopoBenchError('TB_RUN_FOLDER_DAMAGED', `not a request: ${(cause as Error).message}`, {
        location: place,
        cause,
      });
    }
  }
}

function identityOf(sequence: SequenceKey, id: string): string {
  return `${JSON.stringify(sequence)} ${id}`;
}

async function using<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, privateFile);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
