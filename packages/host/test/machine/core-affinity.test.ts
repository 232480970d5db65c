import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { restrictedTo, usableCores } from '../../src/index.ts';

const canPin = process.platform === 'linux' && usableCores() > 1;

describe('work on some cores', () => {
  it.skipIf(!canPin)(
    'limits this process and its children meanwhile, and gives the cores back after a failure',
    async () => {
      const before = usableCores();
      const child = (): number => Number(execFileSync('nproc', { encoding: 'utf8' }));
      await restrictedTo('0', async () => expect([usableCores(), child()]).toEqual([1, 1]));
      await expect(restrictedTo('0', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
      expect([usableCores(), child()]).toEqual([before, before]);
    },
  );
});
