/** Programs as child processes of this one, which need no engine. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { type Launcher, type LauncherOptions, type ProgramLaunch, type ProgramName, programs } from '../launcher.ts';
import { LaunchedProcess } from './launched-process.ts';
import { privateFiles } from './private-files.ts';

const loopback = '127.0.0.1';

export function processLauncher({ builtFolder }: LauncherOptions): Launcher {
  const running = new Set<LaunchedProcess>();
  return {
    place: 'process',
    async check() {
      for (const program of programs) requireBuilt(program);
      return undefined;
    },
    prepare: async () => undefined,
    serverReach: async () => ({ listen: loopback, loopback }),
    filePath: async (path) => path,
    storeUrl: async (url) => url,
    launch,
    close: async () => {
      await Promise.all([...running].map((program) => program.stop()));
    },
  };

  async function launch({ program, args, files, held, signal }: ProgramLaunch): Promise<LaunchedProcess> {
    const requestedMs = performance.now();
    const entry = requireBuilt(program);
    const inherited = await privateFiles(files);
    try {
      signal?.throwIfAborted();
      const line = [entry, ...args(inherited.pathOf), ...(held ? ['--after-input-line'] : [])];
      const { descriptors } = inherited;
      const child = new LaunchedProcess({ args: line, descriptors, requestedMs });
      running.add(child);
      const stop = (): void => void child.stop();
      signal?.addEventListener('abort', stop, { once: true });
      void child.exited.then(() => {
        running.delete(child);
        signal?.removeEventListener('abort', stop);
      });
      return child;
    } finally {
      await inherited.close();
    }
  }

  function requireBuilt(program: ProgramName): string {
    const entry = join(builtFolder, `${program}.js`);
    if (existsSync(entry)) return entry;
    throw new TopoBenchError('TB_NOT_BUILT', `${entry} does not exist`, { hint: 'run: npm run setup' });
  }
}
