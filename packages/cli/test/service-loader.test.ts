import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deploymentOf, roleDocuments } from '../../runners/test/fixtures/role-documents.ts';

const dist = join(import.meta.dirname, '../dist');
let folder: string;
/** What the last process wrote to standard error. */
let said = '';

beforeEach(() => {
  if (!existsSync(join(dist, 'service.cjs'))) throw new Error('the service entry is not built: run npm run setup');
  folder = mkdtempSync(join(tmpdir(), 'topo-bench-loader-'));
  for (const name of ['service.cjs', 'service']) cpSync(join(dist, name), join(folder, name), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a role, takes it through its handshake, and ends its input once it is ready, or before that. */
async function start(kind: string, framework: string, end: 'ready' | 'before' = 'ready'): Promise<number> {
  const child = spawn(process.execPath, [join(folder, 'service.cjs'), kind, framework, 'name'], {
    env: { ...process.env, NODE_OPTIONS: '', XDG_CACHE_HOME: join(folder, 'home') },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const exited = once(child, 'close');
  if (end === 'ready') {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const { config, secrets } = roleDocuments('name');
    for (const messages of [[config, secrets, deploymentOf([]).graph], [{ peers: {} }]]) {
      child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
      await lines.next();
    }
  }
  child.stdin.end();
  const [code] = (await exited) as [number];
  return code;
}

function cachesIn(place: string): string[] {
  if (!existsSync(join(folder, place))) return [];
  const files = readdirSync(join(folder, place), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map(({ parentPath, name }) => join(parentPath, name));
}

describe('the code cache', () => {
  it('is made by the first process of a sort, in a folder that names the version of Node.js, and left alone by the next', async () => {
    expect(await start('service', 'node')).toBe(0);
    const [cache, ...others] = cachesIn('code-cache');
    expect(others).toEqual([]);
    expect(cache).toMatch(new RegExp(`${process.version}-${process.arch}/service-node/core\\.bin$`));
    const { mtimeMs } = statSync(cache as string);
    await start('service', 'node');
    expect(statSync(cache as string).mtimeMs).toBe(mtimeMs);
    await start('sidecar', 'node');
    expect(cachesIn('code-cache')).toHaveLength(2);
  });

  it('is not made by a process that ended before its role was ready, because it would lack code that a start runs', async () => {
    expect(await start('service', 'node', 'before')).toBe(0);
    expect(cachesIn('code-cache')).toEqual([]);
  });

  it('is made again when V8 refuses what is there', async () => {
    await start('service', 'node');
    const [cache] = cachesIn('code-cache') as [string];
    const good = readFileSync(cache);
    for (const bad of [Buffer.from('rubbish'), good.subarray(0, good.length / 2)]) {
      writeFileSync(cache, bad);
      expect(await start('service', 'node')).toBe(0);
      expect(readFileSync(cache).length).toBeGreaterThan(good.length * 0.9);
    }
  });

  it('is not read from a folder that others can write to, and is made elsewhere', async () => {
    await start('service', 'node');
    const [planted] = cachesIn('code-cache') as [string];
    const rubbish = Buffer.from('not what V8 made');
    for (const open of [
      'code-cache',
      join(planted, '..').slice(folder.length + 1),
      join(planted, '../..').slice(folder.length + 1),
    ]) {
      writeFileSync(planted, rubbish);
      chmodSync(join(folder, open), 0o777);
      expect(await start('service', 'node')).toBe(0);
      expect(said).toMatch(/^note: the code cache .* is not used: others can write to it \(mode 777\)/m);
      expect(readFileSync(planted)).toEqual(rubbish);
      expect(cachesIn('home/topo-bench/code-cache')).toHaveLength(1);
      chmodSync(join(folder, open), 0o700);
      rmSync(join(folder, 'home'), { recursive: true });
    }
  });

  it('is not read from a file that others can write to, and is made again', async () => {
    await start('service', 'node');
    const [planted] = cachesIn('code-cache') as [string];
    const good = readFileSync(planted).length;
    writeFileSync(planted, 'not what V8 made');
    chmodSync(planted, 0o666);
    expect(await start('service', 'node')).toBe(0);
    expect(said).toContain('is not used: others can write to it (mode 666)');
    expect(readFileSync(planted).length).toBeGreaterThan(good * 0.9);
    expect(statSync(planted).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'is not read from a folder of another user (needs root to make one)',
    async () => {
      await start('service', 'node');
      const [planted] = cachesIn('code-cache') as [string];
      const written = readFileSync(planted);
      chownSync(join(folder, 'code-cache'), 65534, 65534);
      expect(await start('service', 'node')).toBe(0);
      expect(said).toContain('is not used: it belongs to the user 65534');
      expect(readFileSync(planted)).toEqual(written);
      expect(cachesIn('home/topo-bench/code-cache')).toHaveLength(1);
    },
  );

  it('goes to the cache folder of its user when the installation cannot be written', async () => {
    writeFileSync(join(folder, 'code-cache'), 'a file where the folder would be');
    expect(await start('service', 'node')).toBe(0);
    expect(cachesIn('home/topo-bench/code-cache')).toHaveLength(1);
  });

  it('is made whole when many processes make it at once, without anything left over', async () => {
    const codes = await Promise.all(Array.from({ length: 6 }, () => start('service', 'node')));
    expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
    expect(cachesIn('code-cache')).toHaveLength(1);
    expect(await start('service', 'node')).toBe(0);
  });

  it('is not made under a name that the command line does not give', async () => {
    await start('..', 'x/y');
    expect(cachesIn('code-cache')).toEqual([]);
  });
});
