/** The inputs of the service image: its Dockerfile, the built files that roles and generators load, and its base. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { type ArchivedFile, tarOf } from '../tar-archive.ts';

export interface ImageInputs {
  /** Build context: `Dockerfile`, and the files in `app/`. */
  context: Buffer;
  /** Version of topo-bench. */
  version: string;
  /** Changes with every input. */
  hash: string;
}

/**
 * @param builtFolder with the built files and `image/`
 * @throws TopoBenchError `TB_NOT_BUILT`
 */
export async function readImageInputs(builtFolder: string, baseImage: string): Promise<ImageInputs> {
  const read = (name: string): Promise<Buffer> =>
    readFile(join(builtFolder, name)).catch((cause) => {
      throw new TopoBenchError('TB_NOT_BUILT', `the service image lacks ${join(builtFolder, name)}`, {
        hint: 'run: npm run setup',
        cause,
      });
    });
  const { version, files } = JSON.parse(String(await read('image/image.json'))) as { version: string; files: string[] };
  const app = files.map(async (name) => ({ path: `app/${name}`, content: await read(name) }));
  const context = await tarOf([
    { path: 'Dockerfile', content: await read('image/Dockerfile') },
    // The load generator is an ES module.
    { path: 'app/package.json', content: JSON.stringify({ name: 'topo-bench-service', version, type: 'module' }) },
    ...(await Promise.all<ArchivedFile>(app)),
  ]);
  return { context, version, hash: createHash('sha256').update(context).update(baseImage).digest('hex').slice(0, 32) };
}
