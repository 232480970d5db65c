import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAllProcessStats, readProcessStat } from '@topo-bench/host';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LaunchedProgram, Launcher } from '../../src/launch/launcher.ts';
import { createLauncher } from '../../src/launch/launchers.ts';
import { requireWhole } from '../../src/launch/require-whole.ts';

const builtFolder = join(import.meta.dirname, '../fixtures/programs');
let launcher: Launcher;
beforeEach(async () => {
  launcher = await createLauncher('process', { builtFolder });
});
afterEach(() => launcher.close());

const start = (...args: string[]): Promise<LaunchedProgram> =>
  launcher.launch({ program: 'connector', args: () => args, files: {} });

async function textOf({ output }: LaunchedProgram): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of output) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a program in a child process', () => {
  it('returns all of its output, and marks in the order of the steps', async () => {
    const program = await start('lines', '50000');
    const lines = (await textOf(program)).split('\n');
    expect(lines).toHaveLength(50_002);
    expect(JSON.parse(lines[49_999] as string)).toEqual({ line: 49_999, text: 'ü'.repeat(20) });
    const end = await program.ended;
    expect(requireWhole('the connector', end)).toMatchObject({ cpuUs: 1, maxRssBytes: 2 });
    expect(end.outputBytes).toBe(Buffer.byteLength(lines.slice(0, 50_000).join('\n')) + 1);
    const { requestedMs, startedMs, firstByteMs, lastByteMs, endedMs } = program.marks;
    const marks = [requestedMs, startedMs, firstByteMs, lastByteMs] as number[];
    expect(marks).toEqual([...marks].sort((one, other) => one - other));
    expect(endedMs).toBeGreaterThan(firstByteMs as number);
  });

  it('reads files that have no name, and that no other user can read', async () => {
    // A folder of its own: other programs of this machine have files in the shared one.
    const folder = mkdtempSync(join(tmpdir(), 'topo-bench-launch-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const files = { 'config.json': '{"password":"geheim"}', 'catalog.json': '{"streams":[]}' };
    const program = await launcher.launch({
      program: 'connector',
      args: (pathOf) => ['file', '0', pathOf('catalog.json')],
      files,
    });
    expect(readdirSync(folder)).toEqual([]);
    const [line = ''] = (await textOf(program)).split('\n');
    expect(JSON.parse(line)).toEqual({ text: files['catalog.json'], bits: '600' });
  });

  it('waits for a slow consumer', async () => {
    const program = await start('lines', '200000');
    const iterator = program.output[Symbol.asyncIterator]();
    await iterator.next();
    await sleep(500);
    // Its output is 13 MB, far more than any pipe buffers.
    expect(program.marks.endedMs).toBeUndefined();
    while (!(await iterator.next()).done);
    expect(requireWhole('the connector', await program.ended).outputBytes).toBeGreaterThan(1e7);
  });

  it('that waits starts its work with begin, and ends with stop before that', async () => {
    const held = () => launcher.launch({ program: 'connector', args: () => ['lines', '3'], files: {}, held: true });
    const program = await held();
    const read = textOf(program);
    await sleep(500);
    expect(program.marks.firstByteMs).toBeUndefined();
    program.begin();
    expect((await read).split('\n')).toHaveLength(5);
    expect(requireWhole('the connector', await program.ended).cpuUs).toBe(1);
    const unused = await held();
    await unused.stop();
    expect((await unused.ended).exitCode).not.toBe(0);
  });

  it('fails with the message of its last TRACE error', async () => {
    const program = await start('fail', '3');
    await textOf(program);
    const end = await program.ended;
    expect(end).toMatchObject({ exitCode: 1, failure: 'the table is missing', errorLines: ['last words'] });
    expect(() => requireWhole('the connector', end)).toThrow(
      expect.objectContaining({
        code: 'TB_CONNECTOR_FAILED',
        message: 'the connector ended with exit code 1\n  | the table is missing',
      }),
    );
  });

  it('is not whole when bytes are missing, or the report', async () => {
    for (const [mode = '', expected] of [
      ['lose', /got \d+ bytes, expected \d+ bytes/],
      ['silent', /expected a report as the last line/],
    ] as const) {
      const program = await start(mode, '3');
      await textOf(program);
      const end = await program.ended;
      expect(end.exitCode).toBe(0);
      expect(() => requireWhole('the connector', end)).toThrow(
        expect.objectContaining({ code: 'TB_CONNECTOR_INCOMPLETE', message: expect.stringMatching(expected) }),
      );
    }
  });

  it('ends with stop, also when nothing reads its output', async () => {
    const before = children();
    const program = await start('hang', '100000');
    expect(await program.usage()).toBeDefined();
    const [pid] = [...children()].filter((child) => !before.has(child)) as [number];
    await program.stop();
    expect(readProcessStat(pid)).toBeUndefined();
    const end = await program.ended;
    expect(() => requireWhole('the connector', end)).toThrow(expect.objectContaining({ code: 'TB_CONNECTOR_FAILED' }));
    await program.stop();
  });

  it('ends when its launch is aborted', async () => {
    const abort = new AbortController();
    const launch = { program: 'connector', args: () => ['hang', '1'], files: {}, signal: abort.signal } as const;
    const program = await launcher.launch(launch);
    abort.abort();
    expect((await program.ended).exitCode).not.toBe(0);
    await expect(launcher.launch(launch)).rejects.toThrow();
  });

  it('needs built files', async () => {
    const unbuilt = await createLauncher('process', { builtFolder: '/nowhere' });
    const launch = unbuilt.launch({ program: 'connector', args: () => [], files: {} });
    await expect(launch).rejects.toMatchObject({ code: 'TB_NOT_BUILT', hint: 'run: npm run setup' });
  });
});

/** Other files of the same worker may have left children. */
const children = (): Set<number> =>
  new Set(
    readAllProcessStats()
      .filter(({ parent, state }) => parent === process.pid && state !== 'Z')
      .map(({ pid }) => pid),
  );
