/** A folder for generated files of a run. A killed run cannot remove its own: the next one does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '@topo-bench/host';

const prefix = 'topo-bench-files-';

export class FileFolder {
  #path: string | undefined;
  readonly #removeAtExit = (): void => {
    if (this.#path !== undefined) rmSync(this.#path, { recursive: true, force: true });
  };

  async path(): Promise<string> {
    if (this.#path !== undefined) return this.#path;
    await removeLeftovers();
    this.#path = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
    process.once('exit', this.#removeAtExit);
    return this.#path;
  }

  async remove(): Promise<void> {
    process.removeListener('exit', this.#removeAtExit);
    if (this.#path !== undefined) await rm(this.#path, { recursive: true, force: true });
    this.#path = undefined;
  }
}

/** A folder of a running process must stay. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || (await isRunning(Number(owner), null))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}
