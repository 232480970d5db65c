/** Servers whose binary is on the machine: how each is started on fresh data, at its own defaults for durability. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StoreEngine } from '@topo-bench/core';
import { mysqlVerifier, newPassword, writePrivately } from './credentials.ts';
import { canBeEntered } from './data-folder.ts';
import { findBinary } from './find-binary.ts';
import type { Place, Recipe } from './launch.ts';
import { addMongoUser, mongoUser } from './mongo-user.ts';
import { giveTo, type RunAs, type ServerUsers, serverUsers } from './run-as.ts';

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

async function makeDataDir(place: Place, user: RunAs): Promise<void> {
  await mkdir(dataDir(place), { mode: 0o700 });
  await giveTo(user, dataDir(place));
}

/** Ourselves where the binary lies in a folder that others may not enter. */
function usersFor(path: string): ServerUsers {
  return canBeEntered(dirname(path)) ? serverUsers() : { prepare: {}, serve: {} };
}

function mongod(path: string): Recipe {
  const serve = (place: Place, access: string[]): string[] => {
    const address = ['--port', String(place.port), '--bind_ip', '127.0.0.1', '--nounixsocket'];
    return ['--dbpath', dataDir(place), ...address, ...access];
  };
  return mongoServer('mongod', path, usersFor(path).serve, serve);
}

function secantus(path: string): Recipe {
  const serve = (place: Place, access: string[]): string[] => {
    return ['--host', '127.0.0.1', '--port', String(place.port), '--storage-path', dataDir(place), ...access];
  };
  // A script: its interpreter and packages may lie where only we can read them.
  return mongoServer('secantusd-py', path, {}, serve);
}

/** @param args of the server; the last are `--auth`, once it has its user */
function mongoServer(name: string, path: string, user: RunAs, args: (place: Place, access: string[]) => string[]): Recipe {
  const password = newPassword();
  const url = (port: number): string => `mongodb://${mongoUser}:${password}@127.0.0.1:${port}/?authSource=admin`;
  return {
    engine: 'mongodb',
    name,
    origin: 'found-binary',
    source: path,
    group: user.gid,
    async prepare(place, guard) {
      await makeDataDir(place, user);
      const command = { command: path, args: args(place, []), log: place.log, ...user };
      await addMongoUser(guard, name, command, { port: place.port, password });
    },
    serve: (place) => ({ command: path, args: args(place, ['--auth']), ...user }),
    url,
  };
}

function mariadbd(path: string): Recipe {
  const { prepare: maker, serve: user } = usersFor(path);
  const password = newPassword();
  const accessFile = (place: Place): string => join(place.folder, 'access.sql');
  return {
    engine: 'mysql',
    name: 'mariadbd',
    origin: 'found-binary',
    source: path,
    group: user.gid,
    async prepare(place, guard) {
      await makeDataDir(place, maker);
      const install = findBinary('mariadb-install-db') ?? 'mariadb-install-db';
      const args = ['--no-defaults', `--datadir=${dataDir(place)}`, '--auth-root-authentication-method=normal', '--skip-test-db'];
      await guard.run('mariadb-install-db', { command: install, args, log: place.log, ...maker });
      await giveTo(user, dataDir(place));
      await writePrivately(accessFile(place), rootAlone(password), user);
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
        // Done before the server takes its first connection.
        `--init-file=${accessFile(place)}`,
      ],
      ...user,
    }),
    url: (port) => `mysql://root:${password}@127.0.0.1:${port}/`,
  };
}

/** Of the accounts of a new server, several without any password, only root stays, and with ours. One statement a line. */
function rootAlone(password: string): string {
  const access = `IDENTIFIED VIA mysql_native_password USING '${mysqlVerifier(password)}'`;
  const accounts = ['localhost', '127.0.0.1'].flatMap((host) => [
    `CREATE OR REPLACE USER root@'${host}' ${access};`,
    `GRANT ALL PRIVILEGES ON *.* TO root@'${host}' WITH GRANT OPTION;`,
  ]);
  return [`DELETE FROM mysql.global_priv WHERE User <> 'mariadb.sys';`, 'FLUSH PRIVILEGES;', ...accounts, ''].join('\n');
}

function redis(path: string): Recipe {
  const { serve: user } = usersFor(path);
  const password = newPassword();
  const accessFile = (place: Place): string => join(place.folder, 'access.conf');
  return {
    engine: 'redis',
    name: 'redis-server',
    origin: 'found-binary',
    source: path,
    group: user.gid,
    async prepare(place) {
      await makeDataDir(place, user);
      await writePrivately(accessFile(place), `requirepass ${password}\n`, user);
    },
    serve: (place) => ({
      command: path,
      args: [accessFile(place), '--port', String(place.port), '--bind', '127.0.0.1', '--dir', dataDir(place)],
      ...user,
    }),
    url: (port) => `redis://:${password}@127.0.0.1:${port}`,
  };
}
