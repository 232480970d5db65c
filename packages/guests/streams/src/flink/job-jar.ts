/** The jar of a job: the classes of `flink-job` that Maven has built, the points, and the login of the store. */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import type { GpsPoints } from '../tracks/cycling-trips.ts';
import type { Login } from './databases/database.ts';
import { type ZipEntry, zipParts } from './zip.ts';

const variable = 'TOPO_BENCH_FLINK_JOB';

/**
 * Folder with the jars that `mvn package` has made: TOPO_BENCH_FLINK_JOB, or `target/job` of the sources.
 * @throws TopoBenchError `TB_FLINK_MISSING`
 */
export function jobFolder(): string {
  const sources = sourceFolder();
  const folder = process.env[variable] || (sources && join(sources, 'target', 'job'));
  if (folder && existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.jar'))) return folder;
  const where = folder ? `no jar in ${folder}` : 'no sources next to this installation';
  throw new TopoBenchError('TB_FLINK_MISSING', `the job for Flink is not built: ${where}`, {
    hint: sources
      ? `build it once with Java and Maven: mvn -q -f ${join(sources, 'pom.xml')} package`
      : `set ${variable} to the folder target/job of packages/guests/streams/flink-job, after mvn package`,
  });
}

/** Sources are next to those of this file, and next to a bundle that has them. */
function sourceFolder(): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const found = ['flink-job', 'streams/flink-job', 'packages/guests/streams/flink-job'].find((name) =>
      existsSync(join(folder, name, 'pom.xml')),
    );
    if (found) return join(folder, found);
  }
  return undefined;
}

/** @returns parts of the jar: Flink loads the jars in its folder `lib` too */
export async function jobJar(folder: string, points: GpsPoints, login: Login): Promise<Uint8Array[]> {
  const { count, latitudes, longitudes, timesMs } = points;
  const column = (name: string, values: Float64Array): ZipEntry => ({
    name: `topo-bench/${name}`,
    data: new Uint8Array(values.buffer, values.byteOffset, count * Float64Array.BYTES_PER_ELEMENT),
  });
  const jars = readdirSync(folder).filter((name) => name.endsWith('.jar'));
  return zipParts([
    ...(await Promise.all(
      jars.map(async (name) => ({ name: `lib/${name}`, data: await readFile(join(folder, name)) })),
    )),
    column('latitudes', latitudes),
    column('longitudes', longitudes),
    column('timesMs', timesMs),
    { name: 'topo-bench/login.properties', data: Buffer.from(propertiesOf(login), 'latin1') },
  ]);
}

/** A Java properties file: every character that has a meaning there, or is not ASCII, is escaped. */
function propertiesOf(login: Login): string {
  const escaped = (text: string): string =>
    text.replace(/[^A-Za-z0-9]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const given = Object.entries(login).filter(([, value]) => value !== '');
  return given.map(([name, value]) => `${name}=${escaped(value)}\n`).join('');
}
