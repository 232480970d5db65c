import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hasProc } from '../../../packages/host/test/fixtures/processes.ts';

describe('the hiccup probe', () => {
  it.skipIf(!hasProc)('reports a stall as the waits of all events during it', async () => {
    const probe = JSON.stringify(new URL('../../src/host/hiccup-probe.ts', import.meta.url).href);
    const source = `
      import { startHiccupProbe } from ${probe};
      const probe = await startHiccupProbe();
      console.log('started');
      setTimeout(() => console.log(JSON.stringify([...probe.stop()])), 700);`;
    const tsx = pathToFileURL(new URL('../../../node_modules/tsx/dist/loader.mjs', import.meta.url).pathname).href;
    const child = spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout as NonNullable<ChildProcess['stdout']>)[Symbol.asyncIterator]();
    await lines.next();
    await sleep(100);
    child.kill('SIGSTOP');
    await sleep(300);
    child.kill('SIGCONT');
    const waits = JSON.parse((await lines.next()).value as string) as number[];
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...waits)).toBeGreaterThan(250_000);
    // The stall has 300 intervals, of which the first two hundred waited for more than 100 ms.
    expect(waits.filter((wait) => wait > 100_000).length).toBeGreaterThan(150);
  });
});
