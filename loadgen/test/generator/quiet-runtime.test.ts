import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { withoutCollections } from '../../src/generator/quiet-runtime.ts';

const tsx = pathToFileURL(new URL('../../../node_modules/tsx/dist/loader.mjs', import.meta.url).pathname).href;
const quietRuntime = JSON.stringify(new URL('../../src/generator/quiet-runtime.ts', import.meta.url).href);

/** What a process of its own prints that imports the module under test. */
async function output(options: readonly string[], source: string): Promise<string> {
  const script = `import { stopOptimising } from ${quietRuntime};\n${source}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', tsx, ...options, '--input-type=module', '-e', script],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return stdout;
}

describe('a quiet runtime', () => {
  it('optimises hot functions before the call, and none after it', async () => {
    const trace = await output(
      ['--trace-opt'],
      `const work = (i) => i % 7 + Math.sqrt(i);
      let sum = 0;
      function hotBefore(i) { return work(i) + 1; }
      function hotAfter(i) { return work(i) + 2; }
      for (let i = 0; i < 2e5; i++) sum += hotBefore(i);
      await new Promise((resolve) => setTimeout(resolve, 200));
      stopOptimising();
      for (let i = 0; i < 2e5; i++) sum += hotAfter(i);
      await new Promise((resolve) => setTimeout(resolve, 200));
      console.log('sum', sum > 0);`,
    );
    expect(trace).toContain('sum true');
    expect(trace).toContain('hotBefore');
    expect(trace).not.toContain('hotAfter');
  });

  it('collects its garbage at the call, and none during 12,000 requests', async () => {
    const leaveBehind = (requests: number) =>
      `for (let i = 0; i < ${requests}; i++) globalThis.kept = new Array(512).fill(i);`;
    const load = `console.log('load'); ${leaveBehind(12_000)} console.log('left', kept.length);`;
    const still = `${leaveBehind(8_000)} stopOptimising(); ${load}`;
    const duringLoad = (trace: string) => /^load$(.*)^left 512$/ms.exec(trace)?.[1];
    expect(duringLoad(await output(['--trace-gc'], still))).toContain('Scavenge');
    expect(
      duringLoad(await output(['--trace-gc', ...withoutCollections], still.replace('stopOptimising();', ''))),
    ).toContain('Scavenge');
    expect(duringLoad(await output(['--trace-gc', ...withoutCollections], still))?.trim()).toBe('');
  });
});
