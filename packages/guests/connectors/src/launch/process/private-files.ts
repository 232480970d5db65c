/**
 * Files that a child process inherits as descriptors and opens as `/dev/fd/<number>`. They have no name any more when
 * the child starts, so neither a crash nor a SIGKILL leaves them behind.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Standard input, output and error come first. */
const firstDescriptor = 3;

export interface PrivateFiles {
  /** For `stdio`, after the first three. */
  descriptors: readonly number[];
  pathOf(file: string): string;
  /** After the start: the child has descriptors of its own. */
  close(): Promise<void>;
}

/** @param files texts by name */
export async function privateFiles(files: Readonly<Record<string, string>>): Promise<PrivateFiles> {
  const handles: FileHandle[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(handles.map((handle) => handle.close()));
  };
  try {
    for (const text of Object.values(files)) {
      const path = join(tmpdir(), `topo-bench-${randomBytes(8).toString('hex')}`);
      const handle = await open(path, 'wx+', 0o600);
      handles.push(handle);
      await unlink(path);
      // At a position: systems that share the offset between descriptors would otherwise read from the end.
      await handle.write(text, 0);
    }
  } catch (error) {
    await close();
    throw error;
  }
  const names = Object.keys(files);
  return {
    descriptors: handles.map(({ fd }) => fd),
    pathOf: (file) => `/dev/fd/${firstDescriptor + names.indexOf(file)}`,
    close,
  };
}
