/** A MariaDB server on this machine. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isLoopback } from '@topo-bench/core';
import { newPassword, writePrivately } from '../servers/credentials.ts';
import { findBinary } from '../servers/find-binary.ts';
import {
  dataDir,
  findKnownBinary,
  installationOf,
  type KnownBinary,
  makeDataDir,
  usersFor,
} from '../servers/found-binary.ts';
import type { LocalServer } from '../servers/local-server.ts';
import type { Place, Recipe } from '../servers/recipe.ts';
import { giveTo } from '../servers/run-as.ts';

const known: readonly KnownBinary[] = [{ binary: 'mariadbd', product: 'MariaDB', recipe }];

export const installation = installationOf(known, 'apt-get install mariadb-server');

export async function findServer(): Promise<LocalServer | undefined> {
  return findKnownBinary(known);
}

function recipe(path: string): Recipe {
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
      const args = [
        '--no-defaults',
        `--datadir=${dataDir(place)}`,
        '--auth-root-authentication-method=normal',
        '--skip-test-db',
      ];
      await guard.run('mariadb-install-db', { command: install, args, log: place.log, ...maker });
      await giveTo(user, dataDir(place));
      await writePrivately(
        accessFile(place),
        rootAlone(password, isLoopback(place.host) ? ['localhost', '127.0.0.1'] : ['%']),
        user,
      );
    },
    serve: (place) => ({
      command: path,
      args: [
        '--no-defaults',
        `--datadir=${dataDir(place)}`,
        `--port=${place.port}`,
        `--bind-address=${place.host}`,
        // Names of containers are unknown here, and a lookup may take seconds.
        ...(isLoopback(place.host) ? [] : ['--skip-name-resolve']),
        `--socket=${join(dataDir(place), 'socket')}`,
        `--pid-file=${join(dataDir(place), 'pid')}`,
        // Runs before the server accepts its first connection.
        `--init-file=${accessFile(place)}`,
      ],
      ...user,
    }),
    url: ({ host, port }) => `mysql://root:${password}@${host}:${port}/`,
  };
}

/**
 * Drops all accounts of a new server except root, which receives our password. One statement per line.
 * @param hosts from which root may log in
 */
function rootAlone(password: string, hosts: readonly string[]): string {
  const access = `IDENTIFIED VIA mysql_native_password USING '${nativeVerifier(password)}'`;
  const accounts = hosts.flatMap((host) => [
    `CREATE OR REPLACE USER root@'${host}' ${access};`,
    `GRANT ALL PRIVILEGES ON *.* TO root@'${host}' WITH GRANT OPTION;`,
  ]);
  return [`DELETE FROM mysql.global_priv WHERE User <> 'mariadb.sys';`, 'FLUSH PRIVILEGES;', ...accounts, ''].join(
    '\n',
  );
}

/** The format of stored passwords of `mysql_native_password`: SHA-1 of the SHA-1, in hexadecimal. */
function nativeVerifier(password: string): string {
  const once = createHash('sha1').update(password).digest();
  return `*${createHash('sha1').update(once).digest('hex').toUpperCase()}`;
}
