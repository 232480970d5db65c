import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { kernelUnits, unitsOf } from '../../src/process/kernel-units.ts';

const configured = (name: string): number => Number(execFileSync('getconf', [name], { encoding: 'utf8' }));

it.runIf(process.platform === 'linux')('agrees with getconf on the units of /proc', () => {
  expect(kernelUnits()).toEqual({ pageBytes: configured('PAGESIZE'), ticksPerSecond: configured('CLK_TCK') });
});

it('reads the units of a host with other page and tick sizes', () => {
  const words = [33n, 1n, 6n, 65_536n, 17n, 250n, 0n, 0n];
  expect(unitsOf(Buffer.from(BigUint64Array.from(words).buffer))).toEqual({ pageBytes: 65_536, ticksPerSecond: 250 });
});

it('defaults to the usual units when the vector has none', () => {
  expect(unitsOf(Buffer.alloc(0))).toEqual({ pageBytes: 4096, ticksPerSecond: 100 });
});
