/** A cell proved with real processes: what the page would read, and what is left after a cancel. Needs a build. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Setting } from '@topo-bench/workbench';
import { measuredBackends } from '@topo-bench/workbench/measured';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/small-files.ts';
import type { JobEvent } from '../src/browser/server-api.ts';
import { openWorkshop } from './fixtures/opened-workshop.ts';

const serviceEntry = fileURLToPath(new URL('../../cli/dist/service.cjs', import.meta.url));
const topology = `apiVersion: topo-bench/v1
kind: Topology
name: pair
nodes: [{ name: eu-1, region: eu }]
services: [{ name: a }, { name: b }]
defaults: { work: { mean: 40ms, kind: wait } }
`;

it('measures a cell with real processes, and tears everything down on cancel', {
  timeout: 400_000,
}, async (context) => {
  const folder = temporaryFolder();
  const setting: Setting = {
    backends: (logsDir) => measuredBackends({ runnerOptions: { serviceEntry, onProgress: () => undefined } })(logsDir),
    ...{ version: '1.2.3', command: ['workshop'] },
  };
  const before = process.cwd();
  process.chdir(folder);
  try {
    const { server } = await openWorkshop({ topology, setting });
    const prove = (architecture: string, signal?: AbortSignal) =>
      fetch(`${server.url}prove`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: new URL(server.url).origin },
        body: JSON.stringify({
          ...{ architecture, texts: { topology } },
          settings: { rate: 10, cores: 2, machines: 'one' },
        }),
        ...(signal && { signal }),
      });
    const controller = new AbortController();
    const cancelled = await prove('sidecar', controller.signal);
    await cancelled.body?.getReader().read();
    controller.abort();
    // A second one is refused until the first is torn down.
    let answer = await prove('sidecar');
    while (answer.status === 409) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      answer = await prove('sidecar');
    }
    const events = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JobEvent);
    expect(events.length).toBeGreaterThan(10);
    const after = events.at(-1);
    // On a busy machine perhaps none is valid: then the reason is stated.
    if (after?.kind === 'failed') {
      expect(after.message).toMatch(/^no repetition is valid: .{10}/);
      context.skip(`other programs used this machine: ${after.message}`);
    }
    const last = events.at(-2);
    if (last?.kind !== 'measured') expect.fail(JSON.stringify(last));
    const { cell } = last;
    expect(cell.repetitions + cell.invalid.length).toBe(6);
    expect(cell.median.value).toBeGreaterThan(80_000);
    expect(cell.hops).toBe(5);
    // One cell is no calibration, and the reason is stated.
    expect(after).toMatchObject({ kind: 'not-added', message: 'nothing is calibrated here' });
    // One that was cancelled before its first load leaves no folder.
    expect(readdirSync(join(folder, 'runs'))).toContain(basename(cell.folder));
  } finally {
    process.chdir(before);
  }
});
