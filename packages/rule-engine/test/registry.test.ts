/** What a process loads that decides with the compiled engine. */
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { expect, test } from 'vitest';

test('the index brings neither zod nor json-rules-engine along, and the library waits in a chunk of its own', async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outdir: 'out',
    write: false,
    metafile: true,
  });
  const outputs = Object.values(metafile.outputs);
  const entry = outputs.find(({ entryPoint }) => entryPoint?.endsWith('src/index.ts'));
  const loadedAtStart = new Set(inputsOf(entry, metafile.outputs));
  expect([...loadedAtStart].filter((file) => /node_modules/.test(file))).toEqual([]);
  expect(
    outputs.some(({ inputs }) => Object.keys(inputs).some((file) => file.includes('json-rules-engine/dist'))),
  ).toBe(true);
});

/** Every file that an output holds, and those of the outputs that it imports at once. */
function inputsOf(output: Metafile['outputs'][string] | undefined, outputs: Metafile['outputs']): string[] {
  const imported = output?.imports.filter(({ kind, external }) => kind === 'import-statement' && !external) ?? [];
  return [...Object.keys(output?.inputs ?? {}), ...imported.flatMap(({ path }) => inputsOf(outputs[path], outputs))];
}
