/** An Ignite node on this machine: a Java program, found through IGNITE_HOME. */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@topo-bench/host';
import { findJava } from '../servers/find-java.ts';
import { dataDir } from '../servers/found-binary.ts';
import type { LocalServer } from '../servers/local-server.ts';
import type { Place, Recipe } from '../servers/recipe.ts';
import { configurationOf, jvmOptions } from './server-configuration.ts';

export const installation = 'set IGNITE_HOME to the folder of Ignite 2, and put java on the PATH or set JAVA_HOME';

/** Folders of jars: that of Maven, and those of the distribution. */
const jarFolders = ['lib', 'libs', 'libs/ignite-indexing', 'libs/ignite-spring'];
/** The node, its SQL, and the reader of its configuration. */
const modules = ['core', 'indexing', 'spring'];

export async function findServer(): Promise<LocalServer | undefined> {
  const home = process.env.IGNITE_HOME;
  const java = findJava();
  const version = home === undefined ? undefined : versionOf(home);
  if (home === undefined || java === undefined || version === undefined) return undefined;
  return { product: 'Ignite', version, program: java, place: `, ${home}`, recipe: () => recipe(home, java) };
}

/** Undefined unless all modules are there. */
function versionOf(home: string): string | undefined {
  const names = foldersOf(home).flatMap((folder) => readdirSync(folder));
  const versions = modules.map(
    (module) => names.flatMap((name) => new RegExp(`^ignite-${module}-(\\d.*)\\.jar$`).exec(name)?.[1] ?? [])[0],
  );
  return versions.includes(undefined) ? undefined : versions[0];
}

function foldersOf(home: string): string[] {
  return jarFolders.map((folder) => join(home, folder)).filter((folder) => existsSync(folder));
}

/** It accepts every client: it listens on a loopback address. */
function recipe(home: string, java: string): Recipe {
  const configuration = (place: Place): string => join(place.folder, 'ignite.xml');
  const temporary = (place: Place): string => join(place.folder, 'tmp');
  return {
    engine: 'ignite',
    name: 'ignite',
    origin: 'found-binary',
    source: home,
    group: undefined,
    async prepare(place) {
      await mkdir(dataDir(place), { mode: 0o700 });
      await mkdir(temporary(place), { mode: 0o700 });
      const ports = { discovery: await freePort(), communication: await freePort() };
      await writeFile(configuration(place), configurationOf(place, dataDir(place), ports));
    },
    serve: (place) => ({
      command: java,
      args: [
        ...jvmOptions,
        `-Djava.io.tmpdir=${temporary(place)}`,
        '-cp',
        foldersOf(home)
          .map((folder) => join(folder, '*'))
          .join(':'),
        'org.apache.ignite.startup.cmdline.CommandLineStartup',
        configuration(place),
      ],
    }),
    url: ({ host, port }) => `ignite://${host}:${port}/`,
  };
}
