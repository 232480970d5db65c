/** The files that a client may have read: those below the roots, and those that are shipped. */
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { type ReadText, readText, shownPath } from '@topo-bench/experiment/read-inputs';
import { findFile, type ShippedKind, shippedFolder } from '../../shipped-files.ts';

const kinds: readonly ShippedKind[] = ['topologies', 'rules', 'experiments', 'calibrations'];

export class ReadableFiles {
  /** Without links, so that a link inside cannot lead outside. */
  readonly #folders: readonly string[];

  private constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** @throws TopoBenchError `TB_FILE_NOT_FOUND` for a root that is not there */
  static async below(roots: readonly string[]): Promise<ReadableFiles> {
    const shipped = kinds.flatMap((kind) => shippedFolder(kind) ?? []);
    const real = [...roots, ...shipped].map((folder) =>
      realpath(folder).catch((cause: unknown) => {
        throw new TopoBenchError('TB_FILE_NOT_FOUND', `--root ${folder}: there is no such folder`, { cause });
      }),
    );
    return new ReadableFiles(await Promise.all(real));
  }

  /** Reads a text, and whatever it leads to. */
  readonly read: ReadText = async (file, namedBy) => readText(await this.inside(file), namedBy);

  /** A file by its path, or a shipped one by its name. */
  async find(kind: ShippedKind, name: string): Promise<string> {
    if (/[/\\]/.test(name)) await this.inside(name);
    return this.inside(await findFile(kind, name));
  }

  /**
   * @returns the path as given
   * @throws TopoBenchError `TB_USAGE` for a path outside, whether something is there or not
   */
  async inside(path: string): Promise<string> {
    const real = await realPathOf(resolve(path));
    if (this.#folders.some((folder) => real === folder || real.startsWith(folder + sep))) return path;
    throw new TopoBenchError('TB_USAGE', `${shownPath(path)} is outside the folders that this server may read`, {
      hint: 'start the server in a folder above the file, or name one: topo-bench mcp --root FOLDER',
    });
  }
}

/** A file that is not there has the real path that it would have. */
async function realPathOf(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined || path === dirname(path)) return real ?? path;
  return join(await realPathOf(dirname(path)), path.slice(dirname(path).length));
}
