import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { ownerLabel, ownerState } from '../src/index.ts';

it('an owner is running until its process ends', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const label = await ownerLabel(child.pid);
  expect(await ownerState(label)).toBe('running');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await ownerState(label)).toBe('ended');
});

it('an owner has ended when another process has its id', async () => {
  const [host, pid] = (await ownerLabel()).split('.');
  expect(await ownerState(`${host}.${pid}.1`)).toBe('ended');
  expect(await ownerState(await ownerLabel())).toBe('running');
});

it.each([
  ['of another host', 'ffffffffffff.1.1'],
  ['of another program', 'somebody'],
  ['without its process', '0123456789ab..5'],
  ['that is absent', undefined],
])('an owner %s is unknown', async (_, label) => {
  expect(await ownerState(label)).toBe('unknown');
});

it('the label is a valid value of a label on Kubernetes', async () => {
  expect(await ownerLabel()).toMatch(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/);
});
