/**
 * The entry file of generator processes, and of the pacing thread inside them. Bundled into one file by the build; each part
 * is loaded only where it is needed.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { runGeneratorProcess } = await import('./generator/generator-process.ts');
  runGeneratorProcess(process.argv[1] as string);
} else {
  const { runPacerThread } = await import('./open/pacer-thread.ts');
  runPacerThread();
}
