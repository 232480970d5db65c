import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ownScript, readOwnPeakRssBytes } from '../../src/index.ts';

const size = 500e6;
const source = new URL('../../src/process/process-memory.ts', import.meta.url);

it.skipIf(process.platform !== 'linux')('has the peak of a process, and nothing of that of its parent', () => {
  const touched = Buffer.alloc(size, 1);
  const { execArgv } = ownScript('not-built.js', source);
  const read = `console.log((await import('${source.href}')).readOwnPeakRssBytes(), process.resourceUsage().maxRSS)`;
  const args = [...execArgv, '--input-type=module', '--eval', read];
  const [ofChild, maxRssKib] = execFileSync(process.execPath, args, { encoding: 'utf8' }).split(' ').map(Number);
  expect(ofChild).toBeLessThan(size);
  expect(ofChild).toBeGreaterThan(20e6);
  // The figure of the system, which this one replaces.
  expect(1024 * (maxRssKib as number)).toBeGreaterThan(size);
  expect(readOwnPeakRssBytes()).toBeGreaterThan(touched.length);
});
