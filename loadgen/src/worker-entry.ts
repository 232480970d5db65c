/**
 * The entry file of generator processes, of their pacing threads, and of generator hosts (`--listen`). The build
 * bundles it into one file. Each part is loaded only when needed.
 */
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) {
  const { runPacerThread } = await import('./open/pacer-thread.ts');
  runPacerThread();
} else if (process.argv.includes('--listen')) {
  const { runGeneratorListener } = await import('./remote/run-generator-listener.ts');
  await runGeneratorListener(process.argv.slice(2), process.argv[1] as string);
} else {
  const { runGeneratorProcess } = await import('./generator/generator-process.ts');
  runGeneratorProcess(process.argv[1] as string);
}
