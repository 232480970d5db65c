import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readBytesRead } from '../../src/index.ts';

const megabytes = 20e6;

it.skipIf(process.platform !== 'linux')('counts what a process reads, and nothing of its ended children', () => {
  const before = readBytesRead(process.pid) as number;
  // The child reads a file of the system; this process reads the short text that it prints.
  const read = `require('fs').readSync(require('fs').openSync('/dev/zero'), Buffer.alloc(${megabytes})); console.log('done')`;
  expect(execFileSync(process.execPath, ['-e', read], { encoding: 'utf8' })).toBe('done\n');
  const between = readBytesRead(process.pid) as number;
  expect(between - before).toBeLessThan(megabytes / 2);
  const size = readFileSync(process.execPath).length;
  expect((readBytesRead(process.pid) as number) - between).toBeGreaterThanOrEqual(size);
});

it('has no figure of a process that does not exist', () => {
  expect(readBytesRead(2 ** 30)).toBeUndefined();
});
