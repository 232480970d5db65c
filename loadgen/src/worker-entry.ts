/**
 * The entry file of generator processes, and of their pacing threads. The build bundles it into one file. Each part is
 * loaded only when needed.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { runGeneratorProcess } = await import('./generator/generator-process.ts');
  runGeneratorProcess(process.argv[1] as string);
} else {
  const { runPacerThread } = await import('./open/pacer-thread.ts');
  runPacerThread();
}
