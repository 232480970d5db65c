import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PendingAnswer } from '../../src/child/pending-answer.ts';
import { type ChildEnd, type ChildOptions, describeEnd, SupervisedChild } from '../../src/child/supervised-child.ts';
import { readProcessStat } from '../../src/process/process-stat.ts';
import { readStartedUsage } from '../../src/process/process-tree.ts';
import { eventually } from '../fixtures/processes.ts';

const linux = existsSync('/proc/self/stat');
const isRunning = (pid: number): boolean => !['Z', 'X', undefined].includes(readProcessStat(pid)?.state);

function start(script: string, options: Partial<ChildOptions> = {}): SupervisedChild {
  const child = new SupervisedChild({
    command: process.execPath,
    args: ['-e', script],
    stdio: ['pipe', 'pipe', 'pipe'],
    ...options,
  });
  onTestFinished(async () => {
    child.kill();
    await child.exited;
  });
  return child;
}

/** Starts a script, and resolves when it has printed its first line. */
async function running(script: string, options: Partial<ChildOptions> = {}): Promise<[SupervisedChild, string]> {
  let child: SupervisedChild | undefined;
  const line = await new Promise<string>((resolve) => {
    child = start(script, { onLine: resolve, ...options });
  });
  return [child as SupervisedChild, line];
}

const stubborn = `process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000);`;

describe('a supervised child', () => {
  it('exchanges whole lines, however they are split', async () => {
    const answer = new PendingAnswer<string>();
    const script = `process.stdin.once('data', (text) => {
      process.stdout.write(text.toString().slice(0, 3));
      setTimeout(() => process.stdout.write(text.toString().slice(3) + 'unasked\\n', () => process.exit()), 50);
    });`;
    const unasked: string[] = [];
    const child = start(script, { onLine: (line) => answer.settle(line) || unasked.push(line) });
    expect(await answer.ask(() => child.writeLine({ question: 'ü' }))).toBe('{"question":"ü"}');
    await child.exited;
    expect(unasked).toEqual(['unasked']);
  });

  it('exchanges messages over IPC, typed arrays included', async () => {
    const answer = new PendingAnswer<Float64Array>();
    const child = start(`process.on('message', (values) => process.send(values.map((value) => 2 * value)));`, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      onMessage: (values: Float64Array) => answer.settle(values),
    });
    expect(await answer.ask(() => child.send(Float64Array.of(1, 2)))).toEqual(Float64Array.of(2, 4));
  });

  it('that ends by itself is reported once, with its last lines, and rejects the pending request', async () => {
    const answer = new PendingAnswer<string>();
    const deaths: ChildEnd[] = [];
    const child = start(`for (let i = 0; i < 30; i++) console.error('line ' + i); process.exitCode = 3;`, {
      onDeath: (end) => {
        deaths.push(end);
        answer.fail(new Error(describeEnd(end)));
      },
    });
    await expect(answer.ask(() => child.writeLine(1))).rejects.toThrow('ended with exit code 3');
    await expect(answer.ask(() => expect.fail())).rejects.toThrow('ended with exit code 3');
    await child.stop(1000);
    expect(deaths).toEqual([{ exitCode: 3, signal: null }]);
    expect(child.end).toEqual(deaths[0]);
    await eventually(() => child.errorLines.at(-1) === 'line 29');
    expect(child.errorLines).toHaveLength(20);
  });

  it('that is killed from outside is reported with the signal', async () => {
    const [child] = await running(stubborn);
    process.kill(child.pid as number, 'SIGKILL');
    expect(describeEnd(await child.exited)).toBe('was ended by SIGKILL');
  });

  it('that cannot be started is reported with the reason', async () => {
    const deaths: ChildEnd[] = [];
    const child = start('', { command: '/nowhere/program', onDeath: (end) => deaths.push(end) });
    expect(describeEnd(await child.exited)).toMatch(/^cannot be started: .*ENOENT/);
    expect(deaths).toHaveLength(1);
    expect(child.pid).toBeUndefined();
    await child.stop(0);
  });

  it('that is stopped is not reported', async () => {
    const deaths: ChildEnd[] = [];
    const [child] = await running(`console.log('up'); setInterval(() => {}, 1000);`, {
      onDeath: (end) => deaths.push(end),
    });
    await Promise.all([child.stop(5000), child.stop(5000)]);
    expect(child.end).toEqual({ exitCode: null, signal: 'SIGTERM' });
    expect(deaths).toEqual([]);
  });

  it.runIf(linux)('has all its lines once its standard error has ended, or those of a limited time', async () => {
    // A descendant in a group of its own writes after the exit of its parent.
    const child = start(`require('node:child_process').spawn('/bin/sh', ['-c', 'sleep 0.5; echo late >&2'],
      { detached: true, stdio: ['ignore', 'ignore', 'inherit'] }).unref(); console.error('first');`);
    expect(await child.exitedWithErrors(20)).toEqual({ exitCode: 0, signal: null });
    expect(child.errorLines).not.toContain('late');
    await child.exitedWithErrors(20_000);
    expect(child.errorLines).toEqual(['first', 'late']);
  });

  it('that ignores SIGTERM is killed after its grace period', async () => {
    const [child] = await running(stubborn);
    const startMs = performance.now();
    await child.stop(300);
    expect(performance.now() - startMs).toBeGreaterThan(290);
    expect(child.end?.signal).toBe('SIGKILL');
  });

  it('ends when its input is closed, if it cooperates', async () => {
    const deaths: ChildEnd[] = [];
    const [child] = await running(`console.log('up'); process.stdin.on('end', () => process.exit(0)).resume();`, {
      onDeath: (end) => deaths.push(end),
    });
    await child.closeInput();
    expect(child.end).toEqual({ exitCode: 0, signal: null });
    expect(deaths).toEqual([]);
  });
});

/** Shells that guard groups of this process. */
function guards(): string[] {
  return readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && commandLineOf(pid).includes(`guard of ${process.pid}\0`),
  );
}

/** Empty for a process that has ended meanwhile, or not yet been waited for. */
function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** A leader with one child, whose pid it prints; both ignore SIGTERM. */
const family = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.once('data', () => console.log(child.pid));
  process.on('SIGTERM', () => {});
  process.stdin.on('end', () => process.exit(0)).resume();
`;

describe.skipIf(!linux)('a process group', () => {
  it('is gone when its leader has been stopped', async () => {
    const [leader, grandchild] = await running(family, { ownGroup: true });
    await leader.stop(100);
    await eventually(() => !isRunning(Number(grandchild)));
    expect(isRunning(leader.pid as number)).toBe(false);
  });

  it('is gone when its leader ends by itself', async () => {
    const [leader, grandchild] = await running(family, { ownGroup: true });
    expect(isRunning(Number(grandchild))).toBe(true);
    await leader.closeInput();
    await eventually(() => !isRunning(Number(grandchild)));
  });

  it.each([
    ['exits', 'process.exit(0)'],
    ['is killed', "process.kill(process.pid, 'SIGKILL')"],
  ])('is killed when it has no lifeline and its parent %s', async (_, end) => {
    const module = new URL('../../src/child/supervised-child.ts', import.meta.url).href;
    const parent = `
      const { SupervisedChild } = await import(${JSON.stringify(module)});
      const child = new SupervisedChild({ command: process.execPath, args: ['-e', ${JSON.stringify(family)}], stdio: ['pipe', 'pipe', 2],
        ownGroup: true, killAtExit: true, onLine: (grandchild) => { console.log(child.pid + ' ' + grandchild); setTimeout(() => ${end}, 100); } });`;
    const tsx = new URL('../../../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;
    const [, line] = await running('', { args: ['--import', tsx, '--input-type=module', '-e', parent] });
    const [leader, grandchild] = line.split(' ').map(Number);
    await eventually(() => !isRunning(Number(leader)) && !isRunning(Number(grandchild)));
  });

  it('is all that its parent has started: its guard is in no figure', async () => {
    const started = (): number => readStartedUsage(process.pid)?.processes ?? 0;
    const others = started();
    await running(stubborn, { ownGroup: true, killAtExit: true });
    await eventually(() => guards().length === 1 && started() === others + 1);
  });

  it('leaves no guard behind when it has ended', async () => {
    const [leader] = await running(stubborn, { ownGroup: true, killAtExit: true });
    await eventually(() => guards().length === 1);
    await leader.stop(50);
    await eventually(() => guards().length === 0);
  });
});
