import { expect, it } from 'vitest';
import { functionTimes } from '../../src/profiles/function-times.ts';
import { program } from '../fixtures/cpu-profiles.ts';

const textOf = ({ kind, name, file, line, us }: ReturnType<typeof functionTimes>[number]) =>
  `${kind} ${name} ${file}:${line} ${us / 1000}`;

it('adds up self times by function, native code apart, and leaves out time without work', () => {
  const hash = { name: 'hash', url: 'file:///shop/lib/hash%20one.cjs', line: 12 };
  const digest = { name: 'digest', url: 'node:internal/crypto/hash', line: 4, ms: 2, calls: [{ name: 'run', ms: 3 }] };
  const called = [
    { name: '(idle)', ms: 50 },
    { name: '(garbage collector)', ms: 4 },
    { name: '(program)', ms: 1 },
    { name: 'parserOnHeaders', url: 'node:_http_common', line: 9, ms: 6, calls: [{ ...hash, ms: 7, calls: [digest] }] },
    { name: '', url: '/shop/server.cjs', line: 3, ms: 0, calls: [{ ...hash, ms: 1 }] },
    { name: 'next', url: 'file:///shop/node_modules/express/lib/router.js', line: 8, ms: 2 },
  ];
  expect(functionTimes(program(called)).map(textOf).sort()).toEqual([
    'garbage  :0 4',
    'native hash lib/hash one.cjs:12 5',
    'outside  :0 7',
    'own hash lib/hash one.cjs:12 8',
    'own next node_modules/express/lib/router.js:8 2',
  ]);
});

it('scales samples to the CPU time of the thread: time without a processor is none of the function', () => {
  const called = [
    { name: 'hash', url: '/shop/server.cjs', line: 1, ms: 30 },
    { name: 'other', url: '/shop/server.cjs', line: 2, ms: 10 },
  ];
  expect(functionTimes(program(called, { cpuUs: 20_000 })).map(textOf)).toEqual([
    'own hash server.cjs:1 15',
    'own other server.cjs:2 5',
  ]);
  expect(functionTimes(program(called, { cpuUs: 99_000 }))[0]?.us).toBe(30_000);
});

it('names files relative to the working directory, and code of a role by its file alone', () => {
  const placed = (url: string, more = {}) =>
    functionTimes(program([{ name: 'f', url, ms: 1, line: 1 }], more))[0]?.file;
  expect(placed('file:///base/shop/lib.mjs', { folder: '/base/work' })).toBe('../shop/lib.mjs');
  expect(placed('/usr/lib/topo-bench/dist/service/core.cjs', { isRole: true })).toBe('topo-bench/core.cjs');
});
