/** The version of this build, from the package manifest. Its relative path is the same in source and in `dist/`. */
import { readFileSync } from 'node:fs';

export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
