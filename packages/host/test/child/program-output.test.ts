import { expect, it } from 'vitest';
import { programOutput } from '../../src/child/program-output.ts';

it('is the standard output of a successful program', async () => {
  expect(await programOutput(process.execPath, ['-p', '6 * 7'])).toBe('42\n');
});

it('is undefined for a program that fails or is missing', async () => {
  expect(await programOutput(process.execPath, ['-e', 'console.log(1); process.exit(1)'])).toBeUndefined();
  expect(await programOutput('/nowhere/program', [])).toBeUndefined();
});
