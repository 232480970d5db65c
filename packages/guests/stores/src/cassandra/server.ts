/** A Cassandra server on this machine: a Java program, found through CASSANDRA_HOME. */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@topo-bench/host';
import { newPassword } from '../servers/credentials.ts';
import { findJava } from '../servers/find-java.ts';
import { dataDir } from '../servers/found-binary.ts';
import type { LocalServer } from '../servers/local-server.ts';
import type { Place, Recipe } from '../servers/recipe.ts';
import { configurationOf, jvmOptions, logging } from './server-configuration.ts';

const userName = 'topo-bench';

export const installation =
  'set CASSANDRA_HOME to the folder of Cassandra 5, and put java on the PATH or set JAVA_HOME';

export async function findServer(): Promise<LocalServer | undefined> {
  const home = process.env.CASSANDRA_HOME;
  const java = findJava();
  const jars = home === undefined ? undefined : jarsOf(home);
  if (home === undefined || java === undefined || jars === undefined) return undefined;
  return {
    product: 'Cassandra',
    version: jars.version,
    program: java,
    place: `, ${home}`,
    recipe: () => recipe(home, java, jars.agent),
  };
}

/** Both are in the folder `lib` of every distribution. */
function jarsOf(home: string): { version: string; agent: string } | undefined {
  const lib = join(home, 'lib');
  const names = existsSync(lib) ? readdirSync(lib) : [];
  const version = names.flatMap((name) => /^(?:apache-cassandra|cassandra-all)-(\d.*)\.jar$/.exec(name)?.[1] ?? [])[0];
  const agent = names.find((name) => /^jamm-.*\.jar$/.test(name));
  return version === undefined || agent === undefined ? undefined : { version, agent: join(lib, agent) };
}

function recipe(home: string, java: string, agent: string): Recipe {
  const configuration = (place: Place): string => join(place.folder, 'conf');
  const temporary = (place: Place): string => join(place.folder, 'tmp');
  const password = newPassword();
  return {
    engine: 'cassandra',
    name: 'cassandra',
    origin: 'found-binary',
    source: home,
    group: undefined,
    async prepare(place) {
      await mkdir(dataDir(place), { mode: 0o700 });
      await mkdir(configuration(place), { mode: 0o700 });
      await mkdir(temporary(place), { mode: 0o700 });
      const storagePort = await freePort();
      await writeFile(
        join(configuration(place), 'cassandra.yaml'),
        configurationOf(place, dataDir(place), storagePort),
      );
      await writeFile(join(configuration(place), 'logback.xml'), logging);
    },
    serve: (place) => ({
      command: java,
      args: [
        ...jvmOptions,
        // Native libraries are unpacked to these folders, and are left there by a killed server.
        `-Djava.io.tmpdir=${temporary(place)}`,
        `-Djna.tmpdir=${temporary(place)}`,
        `-javaagent:${agent}`,
        `-Dcassandra.config=file:${join(configuration(place), 'cassandra.yaml')}`,
        `-Dcassandra.storagedir=${dataDir(place)}`,
        '-cp',
        `${configuration(place)}:${join(home, 'lib', '*')}`,
        'org.apache.cassandra.service.CassandraDaemon',
      ],
    }),
    async replaceFirstUser(place) {
      // Loads the driver, which finding a server does not need.
      const { replaceFirstUser } = await import('./first-user.ts');
      await replaceFirstUser(place, { name: userName, password });
    },
    url: ({ host, port }) => `cassandra://${userName}:${password}@${host}:${port}/`,
  };
}
