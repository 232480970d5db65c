/** Searches the Java of servers that are Java programs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findBinary } from './find-binary.ts';

/** The Java of JAVA_HOME, or that of the PATH. */
export function findJava(): string | undefined {
  const home = process.env.JAVA_HOME;
  const own = home === undefined ? undefined : join(home, 'bin', 'java');
  return own !== undefined && existsSync(own) ? own : findBinary('java');
}
