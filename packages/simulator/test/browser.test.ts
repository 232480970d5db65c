/** The simulator as a browser runs it: bundled without Node.js, and with the same figures to the last bit. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { launchChromium, missing, whyMissing } from '../../report/test/fixtures/chromium-page.ts';
import { figuresOfASeed } from './fixtures/figures-of-a-seed.ts';

const resolveDir = fileURLToPath(new URL('fixtures', import.meta.url));

/** @returns the code of a script that sets the global `figuresOfASeed` */
async function bundled(): Promise<string> {
  const contents =
    "import { figuresOfASeed } from './figures-of-a-seed.ts'; globalThis.figuresOfASeed = figuresOfASeed;";
  const { outputFiles } = await build({
    ...{ stdin: { contents, resolveDir, loader: 'ts' }, bundle: true, minify: true, write: false },
    ...{ platform: 'browser', format: 'iife', target: 'es2022' },
  });
  return outputFiles[0]?.text ?? '';
}

describe.skipIf(missing)(`a simulation in Chromium${whyMissing}`, () => {
  test('has the figures that it has in Node.js, to the last bit', async () => {
    const script = await bundled();
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ content: script });
      for (const seed of [1, 2]) {
        const found = await page.evaluate(
          (given) => (globalThis as unknown as { figuresOfASeed: typeof figuresOfASeed }).figuresOfASeed(given),
          seed,
        );
        expect(found).toBe(await figuresOfASeed(seed));
        expect(found).toMatch(/^1\d{3} requests, \d{5,6} events/);
      }
    } finally {
      await browser.close();
    }
  });
});
