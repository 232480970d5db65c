import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { verbs } from '../packages/cli/test/fixtures/inner-parts.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { root, topoBench } from './fixtures/topo-bench.ts';

const names = verbs.map(({ name }) => name);

describe('a variable', () => {
  it('is read like its flag, and the flag takes precedence', async () => {
    const env = { TOPO_BENCH_TARGET: 'compose', TOPO_BENCH_OUT: 'from-variable' };
    const folderOf = async (args: string[]): Promise<string> => {
      const { stdout } = await callTopoBench(['generate', 'quickstart', '--dry-run', '--json', ...args], { env });
      return JSON.parse(stdout).folder;
    };
    expect(await folderOf([])).toBe(join(root, 'from-variable'));
    expect(await folderOf(['--out', 'from-flag'])).toBe(join(root, 'from-flag'));
  });
});

describe('help', () => {
  it('lists the verbs and no other', async () => {
    const { code, stdout } = await callTopoBench(['--help']);
    expect(code).toBe(0);
    const listed = [...stdout.matchAll(/^ {2}([a-z]+) {3,}\S/gm)].map(([, verb]) => verb);
    expect(listed).toEqual(names);
  });

  it('of each verb opens with examples', async () => {
    for (const { name, ended } of names.map((name) => ({ name, ended: callTopoBench([name, '--help']) }))) {
      const { code, stdout } = await ended;
      expect([name, code]).toEqual([name, 0]);
      expect(stdout).toMatch(new RegExp(`^Examples:\n  topo-bench ${name} `));
    }
  });

  it('costs little compared with starting Node.js at all', async () => {
    const fastest = async (args: string[]): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < 7; i++) {
        const startMs = performance.now();
        await new Promise((resolve) => spawn(process.execPath, args, { stdio: 'ignore' }).once('exit', resolve));
        times.push(performance.now() - startMs);
      }
      return Math.min(...times);
    };
    const bare = await fastest(['-e', '0']);
    const help = await fastest([join(root, 'packages/cli/bin/topo-bench.js'), '--help']);
    // Bare Node.js takes 40 ms where --help may take 150 ms.
    expect(help / bare).toBeLessThan(3.75);
  });
});

describe('bad usage ends with exit code 2 and a suggestion', () => {
  it.each([
    [['rnu', 'quickstart'], "unknown command 'rnu'", 'Did you mean run?'],
    [['run', 'quickstart', '--ony', 'a=b'], "unknown option '--ony'", 'Did you mean --only?'],
    [['run'], 'run needs an experiment', 'topo-bench run quickstart'],
    [['run', 'quikstart'], 'no file quikstart', 'quickstart'],
    [['run', 'quickstart', '--repetitions', 'two'], 'Expected a whole number', 'topo-bench run --help'],
    [['run', 'quickstart', '--set', 'rate'], 'Expected name=value', 'topo-bench run --help'],
    [['run', 'quickstart', '--runner', 'vagrant'], 'Allowed choices are local', 'topo-bench run --help'],
    [['up', 'quickstart', '--runner', 'vagrant'], 'Allowed choices are local', 'topo-bench up --help'],
    [['load', 'http://127.0.0.1:1/', '--rate', '0'], 'Expected a number above 0', 'topo-bench load --help'],
    [['load', 'http://127.0.0.1:1/', '--rate', '1e9'], 'at most 1000000', 'topo-bench load --help'],
    [['load', 'http://127.0.0.1:1/', '--duration', '10'], '"10" is not a duration', 'topo-bench load --help'],
    [
      ['load', 'http://127.0.0.1:1/', '--driver', 'flight'],
      'Allowed choices are open, autocannon',
      'topo-bench load --help',
    ],
    [['report'], "missing required argument 'run'", 'topo-bench report --help'],
    [['down', 'quickstart'], 'is not running', 'topo-bench up quickstart'],
    [['down'], 'got neither, expected a topology or --all', 'topo-bench down --all'],
    [['down', 'quickstart', '--all'], 'got both, expected a topology or --all', 'topo-bench down FILE'],
  ])('%j', async (args, message, hint) => {
    const { code, stdout, stderr } = await callTopoBench(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error TB_[A-Z_]+: /);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stdout).toBe('');
  });

  it('is one JSON document on standard output with --json', async () => {
    const { code, stdout } = await callTopoBench(['run', 'quikstart', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'TB_FILE_NOT_FOUND', hint: expect.stringContaining('quickstart') },
    });
  });

  it('without a command shows the help', async () => {
    const { code, stderr } = await callTopoBench([]);
    expect(code).toBe(2);
    expect(stderr).toContain('topo-bench run quickstart');
  });
});

describe('environment variables', () => {
  const cellsOf = async (args: string[], env: Record<string, string>): Promise<string | undefined> => {
    const { stdout } = await callTopoBench(['run', 'quickstart', '--dry-run', '--no-probe', ...args], { env });
    return /\d+ cells? × \d+ repetitions/.exec(stdout)?.[0];
  };

  it('stand for flags, which take precedence', async () => {
    expect(await cellsOf([], { TOPO_BENCH_REPETITIONS: '9' })).toBe('4 cells × 9 repetitions');
    expect(await cellsOf(['--repetitions', '3'], { TOPO_BENCH_REPETITIONS: '9' })).toBe('4 cells × 3 repetitions');
    const both = { TOPO_BENCH_ONLY: 'architecture=none', TOPO_BENCH_REPETITIONS: '2' };
    expect(await cellsOf([], both)).toBe('1 cell × 2 repetitions');
  });

  it('are checked like flags', async () => {
    const { code, stderr } = await callTopoBench(['run', 'quickstart'], { env: { TOPO_BENCH_REPETITIONS: 'two' } });
    expect(code).toBe(2);
    expect(stderr).toContain('TOPO_BENCH_REPETITIONS');
  });
});

describe('a Node.js that is too old', () => {
  const preload = join(temporaryFolder(), 'old-node.cjs');
  writeFileSync(preload, "Object.defineProperty(process.versions, 'node', { value: '18.20.4' });");

  it('is rejected with a hint to replace it, with exit code 3', async () => {
    const { code, stdout, stderr } = await topoBench(['run', 'quickstart', '--json'], {
      nodeArgs: ['--require', preload],
    });
    expect(code).toBe(3);
    expect(stderr).toContain('error TB_NODE_TOO_OLD: Node.js 18.20.4 is too old: topo-bench needs 20.19 or newer');
    expect(JSON.parse(stdout).error.code).toBe('TB_NODE_TOO_OLD');
  });
});

describe('a reader that stops reading', () => {
  it('ends nothing and raises no error', async () => {
    const bin = join(root, 'packages/cli/bin/topo-bench.js');
    const child = spawn('sh', ['-c', `"${process.execPath}" "${bin}" doctor 2>&1 >&3 3>&- | cat >&2`], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    child.stdio[3]?.destroy();
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect(stderr).toBe('');
  });
});
