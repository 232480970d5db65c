/** HBase on this machine: a cluster in one Java process and its REST server, found through HBASE_HOME. */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@topo-bench/host';
import { findJava } from '../servers/find-java.ts';
import { dataDir } from '../servers/found-binary.ts';
import type { LocalServer } from '../servers/local-server.ts';
import type { Place, Recipe } from '../servers/recipe.ts';
import { configurationOf, jvmOptions, logging } from './server-configuration.ts';

export const installation = 'set HBASE_HOME to the folder of HBase 2, and put java on the PATH or set JAVA_HOME';

/** Folders of jars: that of Maven, and those of the distribution. */
const jarFolders = ['lib', 'lib/client-facing-thirdparty', 'lib/jdk11'];
const modules = ['server', 'rest'];

/** Either process ends with the other one. After `exec`, the cluster has the process id of the shell. */
const script =
  '("$0" "$@" org.apache.hadoop.hbase.rest.RESTServer start; kill $$) & ' +
  'exec "$0" "$@" org.apache.hadoop.hbase.master.HMaster start';

export async function findServer(): Promise<LocalServer | undefined> {
  const home = process.env.HBASE_HOME;
  const java = findJava();
  const version = home === undefined ? undefined : versionOf(home);
  if (home === undefined || java === undefined || version === undefined) return undefined;
  return { product: 'HBase', version, program: java, place: `, ${home}`, recipe: () => recipe(home, java) };
}

/** Undefined unless all modules are there. */
function versionOf(home: string): string | undefined {
  const names = foldersOf(home).flatMap((folder) => readdirSync(folder));
  const versions = modules.map(
    (module) => names.flatMap((name) => new RegExp(`^hbase-${module}-(\\d.*)\\.jar$`).exec(name)?.[1] ?? [])[0],
  );
  return versions.includes(undefined) ? undefined : versions[0];
}

function foldersOf(home: string): string[] {
  return jarFolders.map((folder) => join(home, folder)).filter((folder) => existsSync(folder));
}

/** It accepts every client: it listens on a loopback address. */
function recipe(home: string, java: string): Recipe {
  const configuration = (place: Place): string => join(place.folder, 'conf');
  const temporary = (place: Place): string => join(place.folder, 'tmp');
  return {
    engine: 'hbase',
    name: 'hbase',
    origin: 'found-binary',
    source: home,
    group: undefined,
    async prepare(place) {
      await mkdir(dataDir(place), { mode: 0o700 });
      await mkdir(configuration(place), { mode: 0o700 });
      await mkdir(temporary(place), { mode: 0o700 });
      const ports = { zookeeper: await freePort(), master: await freePort(), regionServer: await freePort() };
      const files = { 'hbase-site.xml': configurationOf(place, dataDir(place), ports), ...logging };
      for (const [name, text] of Object.entries(files)) await writeFile(join(configuration(place), name), text);
    },
    serve: (place) => ({
      command: 'sh',
      args: [
        '-c',
        script,
        java,
        ...jvmOptions,
        `-Djava.io.tmpdir=${temporary(place)}`,
        '-cp',
        [configuration(place), ...foldersOf(home).map((folder) => join(folder, '*'))].join(':'),
      ],
      // Its data is removed: there is no reason to write what is in memory.
      stopSignal: 'SIGKILL',
    }),
    url: ({ host, port }) => `hbase://${host}:${port}/`,
  };
}
