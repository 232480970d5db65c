import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verbs } from '../packages/cli/test/fixtures/inner-parts.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

const has = (shell: string): boolean => spawnSync(shell, ['-c', ':']).status === 0;

describe('completion', () => {
  const folder = temporaryFolder();

  it.skipIf(!has('bash'))('in bash offers verbs, flags and values where they belong, and files elsewhere', async () => {
    const { code, stdout } = await topoBench(['completion', 'bash']);
    expect(code).toBe(0);
    const script = join(folder, 'completion.bash');
    const ask = `COMP_WORDS=("$@")\nCOMP_CWORD=$(($#-1))\n_topo_bench\necho "\${COMPREPLY[*]}"\n`;
    writeFileSync(script, stdout + ask);
    const complete = (...words: string[]): string[] =>
      execFileSync('bash', [script, 'topo-bench', ...words], { encoding: 'utf8' })
        .trim()
        .split(' ');
    expect(complete('')).toEqual(expect.arrayContaining([...verbs.map(({ name }) => name), 'help']));
    expect(complete('r')).toEqual(['run', 'report', 'rules']);
    expect(complete('run', '--repe')).toEqual(['--repetitions']);
    expect(complete('run', '--runner', '')).toContain('local');
    expect(complete('rules', '')).toEqual(['test', 'explain', '--help']);
    expect(complete('rules', 'explain', '--topo')).toEqual(['--topology']);
    expect(complete('help', 'ga')).toEqual(['gate']);
    expect(complete('completion', 'z')).toEqual(['zsh']);
    expect(complete('run', '--out', 'x')).toEqual(['']);
    expect(stdout).toContain('complete -o default');
  });

  it.each(['bash', 'zsh', 'fish'])(
    'for %s lists every flag that --help shows, and is a valid script',
    async (shell) => {
      const { stdout: script } = await topoBench(['completion', shell]);
      const { stdout: help } = await topoBench(['gate', '--help']);
      const flags = [...help.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, flag]) => flag as string);
      expect(flags.length).toBeGreaterThan(10);
      expect(flags.filter((flag) => !script.includes(shell === 'fish' ? `-l ${flag} ` : `--${flag}`))).toEqual([]);
      if (!has(shell)) return;
      const checked = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
      expect([checked.status, checked.stderr]).toEqual([0, '']);
    },
  );

  it('refuses a shell that it has no script for', async () => {
    const { code, stderr } = await topoBench(['completion', 'cmd']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')]);
  });
});
