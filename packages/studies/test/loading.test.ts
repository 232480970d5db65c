import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const heavy = /packages\/(arrow-flight|http2|columns)\/|node_modules\/(apache-arrow|pg|mysql2|mongodb|ioredis)\//;

/** Files that are loaded with an entry: those of imports that run when they are reached are not. */
async function loadedWith(entry: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { entry },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    metafile: true,
    write: false,
    outdir: 'nowhere',
    // Optional native parts of a dependency of Docker's client, present where npm could build them.
    loader: { '.node': 'empty' },
    logLevel: 'silent',
  });
  const loaded = new Set<string>();
  const load = (path: string): void => {
    const output = metafile.outputs[path];
    if (!output || loaded.has(path)) return;
    loaded.add(path);
    for (const { kind, path: next } of output.imports) if (kind === 'import-statement') load(next);
  };
  load('nowhere/entry.js');
  const inputs = [...loaded].flatMap((path) => Object.entries(metafile.outputs[path]?.inputs ?? {}));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}

it.each([
  'packages/studies/src/index.ts',
  'packages/routing/src/joint-test-bed.ts',
  'packages/cli/src/commands/run/action.ts',
])('%s loads neither Arrow Flight nor a database client', async (entry) => {
  const loaded = await loadedWith(entry);
  expect(loaded).toContain(entry);
  expect(loaded.filter((path) => heavy.test(path))).toEqual([]);
});

it('a transfer loads Arrow Flight', async () => {
  expect(
    (await loadedWith('packages/guests/transfer-study/src/test-bed.ts')).filter((path) => heavy.test(path)),
  ).not.toEqual([]);
});
