import { createRequire } from 'node:module';
import { build, transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { plainModules } from '../build/plain-modules.mjs';

const plain = { format: 'cjs', platform: 'node', minifyWhitespace: true, minifySyntax: true, target: 'node20' } as const;

async function part(text: string): Promise<string> {
  return plainModules((await transform(text, plain)).code);
}

function evaluate(body: string, others: Record<string, unknown> = {}): Record<string, unknown> {
  const require = createRequire(import.meta.url);
  const module = { exports: {} };
  new Function('exports', 'require', 'module', body)(module.exports, (name: string) => others[name] ?? require(name), module);
  return module.exports;
}

describe('the exports of a part', () => {
  it('are values', async () => {
    const exports = evaluate(
      await part('export const one = 1; export function two() { return 2 } class C {} export { C as Three }'),
    );
    expect(exports.one).toBe(1);
    expect((exports.two as () => number)()).toBe(2);
    expect((exports.Three as { name: string }).name).toBe('C');
    for (const name of ['one', 'two', 'Three']) expect(Object.getOwnPropertyDescriptor(exports, name)).toHaveProperty('value');
  });

  it.each(['count = count + 1', 'count++', '[count] = [1]', '({ a: count } = { a: 1 })', 'for (count of [1]);'])(
    'follow their variable when it is assigned again: %s',
    async (assignment) => {
      const exports = evaluate(await part(`let count = 0; export function go() { ${assignment} } export { count }`));
      (exports.go as () => void)();
      expect(exports.count).toBe(1);
    },
  );

  it('pass on those of another part, and a default', async () => {
    const text = `export { a as b } from './other.js'; export default 7;`;
    expect(evaluate(await part(text), { './other.js': { a: 5 } })).toMatchObject({ b: 5, default: 7 });
  });

  it('reach an import() of the part as they are, as those of Node.js do', async () => {
    const text = `export async function get() { const { default: d, a } = await import('./other.js'); return [d, a, (await import('node:path')).sep] }`;
    const { code } = await transform(text, { ...plain, supported: { 'dynamic-import': false } });
    const { get } = evaluate(plainModules(code), { './other.js': { default: 1, a: 2 } });
    expect(await (get as () => Promise<unknown>)()).toEqual([1, 2, '/']);
  });

  it('are refused in a form that is not known', async () => {
    await expect(part('const a = 1; export { a as "not a name" }')).rejects.toThrow('not a name');
  });
});

describe('CommonJS modules of a part', () => {
  const files: Record<string, string> = {
    'a.cjs': `exports.seen = require('./b.cjs').seen; exports.twice = require('./b.cjs') === require('./b.cjs')`,
    'b.cjs': `module.exports = { seen: 'b' }`,
    'broken.cjs': `throw new Error('at load')`,
  };
  async function bundle(contents: string): Promise<string> {
    const { outputFiles } = await build({
      ...plain,
      stdin: { contents },
      bundle: true,
      write: false,
      format: 'esm',
      plugins: [
        {
          name: 'files',
          setup({ onResolve, onLoad }) {
            onResolve({ filter: /cjs$/ }, ({ path }) => ({ path: path.replace('./', ''), namespace: 'files' }));
            onLoad({ filter: /.*/, namespace: 'files' }, ({ path }) => ({ contents: files[path] as string }));
          },
        },
      ],
    });
    return part(outputFiles[0]?.text as string);
  }

  it('are functions, evaluated once', async () => {
    const body = await bundle(`import { seen, twice } from './a.cjs'; export const found = [seen, twice]`);
    expect(body).toMatch(/__commonJS\(function\(/);
    expect(body).not.toMatch(/__commonJS\(\{/);
    expect(evaluate(body).found).toEqual(['b', true]);
  });

  it('throw what they throw', async () => {
    const body = await bundle(`import './broken.cjs'`);
    expect(() => evaluate(body)).toThrow('at load');
  });
});
