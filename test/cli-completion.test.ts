import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { verbs } from '../packages/cli/test/fixtures/inner-parts.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

const has = (shell: string): boolean => spawnSync(shell, ['-c', ':']).status === 0;

describe('completion', () => {
  const folder = temporaryFolder();

  it.skipIf(!has('bash'))('in bash offers verbs, flags and values where they belong, and files elsewhere', async () => {
    const { code, stdout } = await callTopoBench(['completion', 'bash']);
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
    expect(complete('rules', '')).toEqual(['test', 'explain', 'diff', 'check', '--help']);
    expect(complete('rules', 'explain', '--topo')).toEqual(['--topology']);
    expect(complete('help', 'ga')).toEqual(['gate']);
    expect(complete('help', 'rules', 'e')).toEqual(['explain']);
    expect(complete('completion', 'z')).toEqual(['zsh']);
    expect(complete('run', '--out', 'x')).toEqual(['']);
    expect(stdout).toContain('complete -o default');
  });

  it.skipIf(!has('zsh'))('in zsh offers the same from a file of fpath, at the first call', async () => {
    const functions = join(folder, 'functions');
    mkdirSync(functions);
    const { stdout: help } = await callTopoBench(['completion', '--help']);
    const [, file = ''] = /completion zsh > "\$\{fpath\[1\]\}\/(\S+)"/.exec(help) ?? [];
    writeFileSync(join(functions, file), (await callTopoBench(['completion', 'zsh'])).stdout);
    // Without a line editor: the functions that show words print them.
    const ask = `fpath=("$1" $fpath); shift
compdef() { : }
_describe() { local -a shown; shown=("\${(@P)2}"); print -l -- "\${(@)shown%%:*}" }
_files() { print files }
autoload -Uz ${file}
words=("$@")
CURRENT=$#
${file}`;
    const complete = (...words: string[]): string[] =>
      execFileSync('zsh', ['-f', '-c', ask, 'zsh', functions, 'topo-bench', ...words], { encoding: 'utf8' })
        .trim()
        .split('\n');
    expect(complete('')).toEqual([...verbs.map(({ name }) => name), 'help']);
    expect(complete('run', '')).toEqual(['files']);
    expect(complete('run', '--')).toContain('--repetitions');
    expect(complete('run', '--runner', '')).toEqual(['local', 'docker', 'kubernetes']);
    expect(complete('run', '--out', '')).toEqual(['files']);
    expect(complete('rules', '')).toEqual(['test', 'explain', 'diff', 'check']);
    expect(complete('rules', 'explain', '--')).toContain('--topology');
    expect(complete('help', '')).toContain('gate');
    expect(complete('help', 'rules', '')).toEqual(['test', 'explain', 'diff', 'check']);
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it.skipIf(!has('fish'))('in fish offers the same', async () => {
    const script = join(folder, 'topo-bench.fish');
    writeFileSync(script, (await callTopoBench(['completion', 'fish'])).stdout);
    const complete = (line: string): string[] =>
      execFileSync('fish', ['-c', `source '${script}'; complete -C 'topo-bench ${line}'`], {
        encoding: 'utf8',
        env: { ...process.env, HOME: folder },
      })
        .trim()
        .split('\n')
        .map((word) => word.split('\t')[0] as string);
    expect(complete('')).toEqual(expect.arrayContaining([...verbs.map(({ name }) => name), 'help']));
    expect(complete('run --repe')).toEqual(['--repetitions']);
    expect(complete('run --runner ')).toEqual(expect.arrayContaining(['local', 'docker', 'kubernetes']));
    expect(complete('rules ').sort()).toEqual(['check', 'diff', 'explain', 'test']);
    expect(complete('rules explain --topo')).toEqual(['--topology']);
    expect(complete('help ga')).toEqual(['gate']);
    expect(complete('help rules ').sort()).toEqual(['check', 'diff', 'explain', 'test']);
    expect(complete('gate --jun')).toEqual(['--junit']);
    expect(complete('help gate --').join('')).toBe('');
    expect(complete('completion ')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
  });

  it.each(['bash', 'zsh', 'fish'])('for %s lists every flag that --help shows', async (shell) => {
    const { stdout: script } = await callTopoBench(['completion', shell]);
    const { stdout: help } = await callTopoBench(['gate', '--help']);
    const flags = [...help.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, flag]) => flag as string);
    expect(flags.length).toBeGreaterThan(10);
    expect(flags.filter((flag) => !script.includes(shell === 'fish' ? `-l ${flag} ` : `--${flag}`))).toEqual([]);
  });

  it('refuses a shell that it has no script for', async () => {
    const { code, stderr } = await callTopoBench(['completion', 'cmd']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')]);
  });
});
