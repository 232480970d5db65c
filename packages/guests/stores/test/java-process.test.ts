/** Java programs of tests: which Java runs them, and their end with the process that started them. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventually, isAlive } from '../../../host/test/fixtures/processes.ts';
import { startJava } from './fixtures/java-process.ts';

describe('a Java program of a test', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'topo-bench-java-home-'));
    mkdirSync(join(folder, 'bin'));
    const java = join(folder, 'bin', 'java');
    // Prints its arguments, and runs on.
    writeFileSync(java, '#!/bin/sh\necho "$@"\nexec sleep 600\n');
    chmodSync(java, 0o755);
    vi.stubEnv('JAVA_HOME', folder);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  it('runs with the Java of JAVA_HOME', async () => {
    const line = await new Promise<string>((resolve) => {
      const program = startJava(['Some.java'], { stdio: ['ignore', 'pipe', 'pipe'], onLine: resolve });
      void program.exited.then(({ error }) => resolve(String(error)));
      onTestFinished(() => program.kill());
    });
    expect(line).toBe('Some.java');
  });

  it('ends when the process that started it is killed', async () => {
    const owner = fork(fileURLToPath(new URL('fixtures/java-owner.ts', import.meta.url)), ['Some.java'], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    onTestFinished(() => void owner.kill('SIGKILL'));
    const [printed] = await once(owner.stdout!, 'data');
    const pid = Number(printed);
    expect(isAlive(pid)).toBe(true);
    owner.kill('SIGKILL');
    await eventually(() => !isAlive(pid));
  });
});
