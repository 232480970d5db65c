/** Servers whose binary is on the machine: how each is started on fresh data, at its own defaults for durability. */
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreEngine } from '@topo-bench/core';
import { findBinary } from './find-binary.ts';
import type { Place, Recipe } from './launch.ts';
import { unprivileged } from './run-as.ts';

/** A kind of server that we know how to start. */
export interface KnownServer {
  engine: StoreEngine;
  binary: string;
  /** What it is called; a server that speaks another's protocol is never called by the other's name. */
  product: string;
  recipe(path: string): Recipe;
}

/** In order of preference among those of one engine. */
export const knownServers: readonly KnownServer[] = [
  { engine: 'mongodb', binary: 'mongod', product: 'MongoDB', recipe: mongod },
  { engine: 'mongodb', binary: 'secantusd-py', product: 'SecantusDB (MongoDB wire protocol)', recipe: secantus },
  { engine: 'mysql', binary: 'mariadbd', product: 'MariaDB', recipe: mariadbd },
  { engine: 'redis', binary: 'redis-server', product: 'Redis', recipe: redis },
];

const installers: Readonly<Record<Exclude<StoreEngine, 'postgresql'>, string>> = {
  mysql: 'apt-get install mariadb-server',
  mongodb: 'pip install secantusdb',
  redis: 'apt-get install redis-server',
};

/** How to get a server of the engine onto this machine, in words for a hint. */
export function waysToGet(engine: StoreEngine): string {
  if (engine === 'postgresql') return 'install topo-bench with its optional packages (npm install without --omit=optional)';
  const binaries = knownServers.filter((known) => known.engine === engine).map(({ binary }) => binary);
  return `put ${binaries.join(' or ')} on the PATH (${installers[engine]})`;
}

export interface FoundServer extends KnownServer {
  path: string;
}

/** Those that are on this machine. */
export function findServers(): FoundServer[] {
  return knownServers.flatMap((known) => {
    const path = findBinary(known.binary);
    return path === undefined ? [] : [{ ...known, path }];
  });
}

function dataDir({ folder }: Place): string {
  return join(folder, 'data');
}

async function makeDataDir(place: Place): Promise<void> {
  await mkdir(dataDir(place), { mode: 0o700 });
}

function mongod(path: string): Recipe {
  return {
    engine: 'mongodb',
    name: 'mongod',
    origin: 'found-binary',
    source: path,
    changesUser: false,
    prepare: makeDataDir,
    serve: (place) => ({
      command: path,
      args: ['--dbpath', dataDir(place), '--port', String(place.port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
    }),
    url: (port) => `mongodb://127.0.0.1:${port}/`,
  };
}

function secantus(path: string): Recipe {
  return {
    engine: 'mongodb',
    name: 'secantusd-py',
    origin: 'found-binary',
    source: path,
    changesUser: false,
    prepare: makeDataDir,
    serve: (place) => ({
      command: path,
      args: ['--host', '127.0.0.1', '--port', String(place.port), '--storage-path', dataDir(place)],
    }),
    url: (port) => `mongodb://127.0.0.1:${port}/`,
  };
}

function mariadbd(path: string): Recipe {
  const user = unprivileged();
  return {
    engine: 'mysql',
    name: 'mariadbd',
    origin: 'found-binary',
    source: path,
    changesUser: user.uid !== undefined,
    async prepare(place, guard) {
      await makeDataDir(place);
      if (user.uid !== undefined && user.gid !== undefined) await chown(dataDir(place), user.uid, user.gid);
      const install = findBinary('mariadb-install-db') ?? 'mariadb-install-db';
      const args = ['--no-defaults', `--datadir=${dataDir(place)}`, '--auth-root-authentication-method=normal', '--skip-test-db'];
      await guard.run('mariadb-install-db', { command: install, args, log: place.log, ...user });
    },
    serve: (place) => ({
      command: path,
      args: [
        '--no-defaults',
        `--datadir=${dataDir(place)}`,
        `--port=${place.port}`,
        '--bind-address=127.0.0.1',
        `--socket=${join(dataDir(place), 'socket')}`,
        `--pid-file=${join(dataDir(place), 'pid')}`,
      ],
      ...user,
    }),
    url: (port) => `mysql://root@127.0.0.1:${port}/`,
  };
}

function redis(path: string): Recipe {
  return {
    engine: 'redis',
    name: 'redis-server',
    origin: 'found-binary',
    source: path,
    changesUser: false,
    prepare: makeDataDir,
    serve: (place) => ({ command: path, args: ['--port', String(place.port), '--bind', '127.0.0.1', '--dir', dataDir(place)] }),
    url: (port) => `redis://127.0.0.1:${port}`,
  };
}
