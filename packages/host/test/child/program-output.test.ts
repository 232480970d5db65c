import { expect, it } from 'vitest';
import { programOutput } from '../../src/child/program-output.ts';

it('is what a program prints, when it succeeds', async () => {
  expect(await programOutput(process.execPath, ['-p', '6 * 7'])).toBe('42\n');
});

it('is not known of a program that fails or is missing', async () => {
  expect(await programOutput(process.execPath, ['-e', 'console.log(1); process.exit(1)'])).toBeUndefined();
  expect(await programOutput('/nowhere/program', [])).toBeUndefined();
});
